"""What is asked, of which papers, and what is right: questions, claims, corpora and controlled edits of them."""
