"""Pure: an Answer, a Paper, a SyncReport -> lines of styled spans, JSON. Nothing here prints."""
