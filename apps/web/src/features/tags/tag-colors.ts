/** Told apart on light and dark ground, each by its name too. */
export const tagColors = [
  { value: '#dc2626', name: 'Red' },
  { value: '#ea580c', name: 'Orange' },
  { value: '#d97706', name: 'Amber' },
  { value: '#65a30d', name: 'Lime' },
  { value: '#16a34a', name: 'Green' },
  { value: '#0d9488', name: 'Teal' },
  { value: '#0891b2', name: 'Cyan' },
  { value: '#2563eb', name: 'Blue' },
  { value: '#4f46e5', name: 'Indigo' },
  { value: '#7c3aed', name: 'Violet' },
  { value: '#c026d3', name: 'Fuchsia' },
  { value: '#db2777', name: 'Pink' },
];

/** The palette, with a colour first that a tag already has from elsewhere. */
export function colorsWith(color: string): { value: string; name: string }[] {
  const known = tagColors.some(({ value }) => value === color.toLowerCase());
  return known ? tagColors : [{ value: color.toLowerCase(), name: `As it is (${color})` }, ...tagColors];
}
