/** What the document agent is asked where nobody is there to answer it. */
export const firstMessage = `[This message is from Docwright, not from a person.]
Analyse this document. Where a schema and a prompt that fit it are there already, use those. Otherwise: create a schema of the key, repeatable fields that documents like it share, create a prompt for them, and run the extraction. Name both after the kind of document, not after this one.

Then look at the result. Where values that the document has are missing or wrong, correct the schema or the prompt, where no other document uses them, and extract again, at most twice. End with a short summary of what you created and what is uncertain.`;
