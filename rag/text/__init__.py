"""Pure text: normalising, sentences and tokens with exact offsets, quantities. No I/O, no state."""
