/** What the document agent is asked where nobody is there to ask anything. */
export const firstMessage = `Analyse this document and propose how documents like it are read:
1. Create a schema of the key, repeatable fields that documents of this kind share, named after the kind of document, not after this one.
2. Create a prompt for that schema.
3. Run the extraction.
Then look at the result. Where values that the document has are missing or wrong, correct schema or prompt and run the extraction again, at most twice. Nobody is there to answer questions or to approve: every call runs at once or is denied, so decide for yourself. End with a short summary of what you created, what was extracted and what is uncertain.`;
