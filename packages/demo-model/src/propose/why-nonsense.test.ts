import { expect, it } from 'vitest';
import { documentOf } from '../page/document-text.ts';
import * as samples from '../testing/sample-pages.ts';
import { proposeSchema } from './propose-schema.ts';
import { whyNonsense } from './why-nonsense.ts';

const proposal = (text: string) => proposeSchema(documentOf('a.pdf', [{ page: 1, text }]));

const map = `
      Washington Throughway          Lincoln Avenue            Harbor Road
                 Old Mill                        St. Mary's
   Elm Street                 Park Lane          Station
         Oak Drive           Market Square             Bridge Street
  Washington Throughway: Exit 12          River Walk`;
const germanMap = `
 Kirchgasse        Am Markt        Bahnhofstraße
 Rathaus           Lindenweg       Schulstraße
 Mühlenweg         Feuerwehr       Gartenweg`;
const play = `
ANTON: I have not seen him since the harvest.
MARTA: Nor has anyone, they went to the coast.
ANTON: Then he will be back before long.`;
const novel = `
Der alte Mann sah aus dem Fenster. Draußen lag Schnee: viel mehr, als im Vorjahr gefallen war. Er
dachte an seine Frau: sie hatte immer gesagt, man müsse dem Winter freundlich begegnen. Der Hund
schlief vor dem Ofen. Gegen Abend kam der Junge aus dem Dorf und brachte Milch.`;
const letter = `
Aunt Clara
7 Rose Lane
Exeter EX1 2AB
                                                            2 March 2024
Dear Tom,
thank you for the pictures from your trip. We were so pleased to see you all well: do write soon.
Yours
Clara`;

it.each([
  ['a map', map, 'Washington Throughway'],
  ['a map in German', germanMap, 'Bahnhofstraße'],
  ['a play', play, 'ANTON'],
  ['a page of a novel', novel, 'no labels with values'],
  ['a picture without words', '  .  ~\n 12 34', 'no labels with values'],
])('explains why there is no schema for %s, and what to do', (_, text, reason) => {
  const { schema, ...rest } = proposal(text);
  expect(Object.keys(schema.properties).filter((name) => name !== 'title')).toEqual([]);
  expect(whyNonsense({ schema, ...rest })).toContain(reason);
  expect(whyNonsense({ schema, ...rest })).toContain('Tell me which fields you want');
});

it.each([
  ['a letter', letter],
  ['an invoice', samples.englishInvoice],
  ['a form', samples.membershipForm],
  ['a laboratory report', samples.laboratoryReport],
  ['a contract', samples.contract],
])('makes a schema for %s', (_, text) => {
  expect(whyNonsense(proposal(text))).toBeUndefined();
});
