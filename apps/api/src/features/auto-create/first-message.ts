/** What the document agent is asked where nobody is there to answer it. */
export const firstMessage = `Analyse this document. Create a schema of the key, repeatable fields that documents like it share, create a prompt for them, and run the extraction. Name both after the kind of document, not after this one.

Then look at the result. Where values that the document has are missing or wrong, correct the schema or the prompt and extract again, at most twice. Nobody is there to answer or to approve: a call runs at once or is denied, so decide for yourself. End with a short summary of what you created and what is uncertain.`;
