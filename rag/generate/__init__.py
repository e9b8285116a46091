"""Evidence -> Draft with a language model: a strict prompt out, whatever comes back read sentence by sentence."""
