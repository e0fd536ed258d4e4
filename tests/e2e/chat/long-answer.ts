const paragraph = (at: number) =>
  `Paragraph ${at} tells of **invoice ${at}**, of its \`total_${at}\`, and of [page ${at}](page:${at}), in words enough that a line of it breaks once or twice on a narrow panel, as answers of this kind do.`;

const table = (rows: number) =>
  [
    '| Position | Description | Quantity | Unit price | Amount |',
    '|---|---|---:|---:|---:|',
    ...Array.from(
      { length: rows },
      (_, at) => `| ${at + 1} | A thing called ${at} | ${at * 3} | ${at}.50 | ${at * 9}.00 |`,
    ),
  ].join('\n');

const code = (fields: number) =>
  `\`\`\`json\n${JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, at) => [`field_${at}`, { type: 'string', maximum: at }])), undefined, 2)}\n\`\`\``;

const list = (items: number) =>
  Array.from({ length: items }, (_, at) => `- Item ${at}: *checked* against the page`).join('\n');

const sections = Array.from({ length: 6 }, (_, at) =>
  [`## Section ${at + 1}`, paragraph(at), table(18), paragraph(at + 10), code(24), list(14)].join('\n\n'),
);

/** Markdown of about 20 kB with all elements of answers. */
export const longAnswer = `${sections.join('\n\n')}\n\nThe last word of it.`;
