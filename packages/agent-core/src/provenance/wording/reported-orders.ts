import { anyOf } from './word-patterns.ts';

/** “The tenant must remove it” tells of a duty of others. */
const duty =
  /^(?!(?:you|we|i) )(?:[^ ]+ ){1,4}(?:must|shall|will|may|has to|have to) (?:delete|remove|erase|discard|destroy|clear) /u;
/** Verbs by which somebody tells what others say, ask for or order. The user's own “I asked you to” is an order. */
const saying = anyOf(`
  said says asks asked told tells wrote writes requested demanded insists insisted instructed urges urged begs begged demands_that requests_that
  claims_that
  sagt sagte sagten gesagt schrieb schreibt schrieben geschrieben bittet bat baten gebeten verlangt verlangte verlangten fordert forderte forderten
  gefordert behauptet behauptete wunscht wunschte
  demande_de demande_que demande_a demande_la demande_l demande_le demandent a_demande ont_demande a_dit ont_dit dit_de dit_que dit_qu a_ecrit ont_ecrit ecrit exige exigent a_exige
  a_prie veut_que reclame reclament souhaite m_a_dit
  dijo dice dicen dijeron pide piden pidio pidieron han_pedido ha_pedido han_dicho ha_dicho escribio escribe solicita solicitan exige exigen insiste
  ha_chiesto hanno_chiesto chiede chiedono ha_detto hanno_detto ha_scritto hanno_scritto scrive pretende pretendono esige
  disse disseram diz pediu pediram pede_para pede_que pede_a pedem solicitou solicita solicitam mandou escreveu escreve exigiu
  vraagt vroeg vroegen gevraagd schreef schreven schrijft geschreven zegt zei zeiden gezegd eist eiste verzoekt verzocht
  napisał napisała napisali mowi mowił mowiła powiedział powiedziała powiedzieli prosi prosił prosiła proszą poprosił poprosiła poprosili kazał
  kazała kaze zada zadał zadała zazadał zazadała
  сказал сказала сказали говорит говорят просит просил просила просят попросил попросила попросили пишет написал написала требует
  требуют потребовал потребовала велел велела`).replaceAll('_', ' ');
const firstPerson = anyOf(
  'i we ich wir je j nous yo nosotros io noi eu nos ik wij we ja my я мы as wie te_pedi ti_ho vi_ho',
).replaceAll('_', ' ');
const report = new RegExp(
  `^(?!(?:(?:yes|but|and|ja|oui|aber|mais|pero|ma|mas|as|wie) )*${firstPerson} )(?:.* )?${saying}(?= |$)`,
  'u',
);
/** “I was told to delete it” */
const ownReport =
  /^(?:(?:but|aber|mais) )?(?:i|we) (?:was|were|have been|got|ve been|am|are) (?:told|asked|instructed|ordered|supposed|requested)(?= |$)|^(?:mir|uns) (?:wurde|hat|haben)(?= )|^(?:on|ils|elle|il) (?:m |me |nous |lui )+(?:a|ont)(?= )|^(?:ich|wir) (?:wurden?|bin|sind)(?= ).* (?:gebeten|aufgefordert|angewiesen)(?= |$)/u;
/** “According to Anna we should delete it” */
const accordingTo =
  /^(?:(?:but|aber|mais|pero|ma|mas|ale) )?(?:according to|laut|gemaß|nach ansicht|selon|d apres|segun|secondo|a detta di|stando a\p{L}*|volgens|według|segundo|de acordo com|согласно|по словам)(?= )/u;
/** “… , Anna said” and “… , says Anna” behind what somebody else orders. */
const attribution = new RegExp(
  `^(?!(?:so )?${firstPerson} )(?:(?:so )?${saying}(?: (?!to |that |zu )[^ ]+){1,3}|(?:[^ ]+ ){1,3}${saying})$`,
  'u',
);
/** What others want or think: “my boss wants to delete it”. “I want you to delete it” is an order. */
const opinion = new RegExp(
  `^(?!(?:i|we|ich|wir|je|j|nous|yo|nosotros|io|noi|eu|nos|ik|wij|я|мы) )(?:[^ ]+ ){1,4}${anyOf(`
    wants wanted thinks thought believes suggests suggested proposes proposed recommends recommended wishes
    meint meinte findet glaubt wollte mochte empfiehlt empfahl veut voulait pense pensait
    quiere queria quieren piensa opina propone sugiere recomienda vuole voleva vogliono pensa crede suggerisce consiglia
    quer querem acha wil wilde vindt denkt chce chciał chciała mysli uwaza proponuje
    хочет хотел хотела хотят думает считает предлагает`)}(?: |$)(?!(?:you|ich|wir|te|que tu|que vous) )`,
  'u',
);
const opinionSigns =
  /^(?![我请請]).{1,8}(?:要求|[请請]求|[让讓叫]我|[说說])|(?:を|に|が|と).{0,12}(?:求めて(?!い?ない)|依頼(?:して|が|され)|頼まれ)|요청(?:했|하셨|받)|(?:^| )(?:طلب|طلبت|يطلب|تطلب|قال|قالت|ביקש|ביקשה|מבקש|אמר|אמרה|ζητησε|ζηταει|ειπε)(?: |$)|^(?![我请請]).{1,6}(?:想要?|打算|建[议議]|[认認][为為]|[觉覺]得)|た(?:い|がって).{0,3}(?:言|い(?:って|ます)|そう)|と(?:言って|思って)|고 ?싶어 ?(?:하|해|한)|(?:^| )(?:يريد|تريد|اراد|يعتقد|يظن|يقترح)(?: |$)/u;
/** “Later I will ask you to delete it” */
const announcement =
  /(?:^| )(?:(?:i|we) (?:will|ll|shall|may|might|am going to|are going to)(?! (?:need|want))|ich werde|wir werden|je vais|nous allons|voy a|vamos a|vou|ik zal|ik ga|я буду|я удалю)(?= |$)/u;
/**
 * Whether a clause tells what others say, ask for, must do, want or think, or what the user will do. “Delete the letter that Anna wrote” orders.
 *
 * @param isOrder the clause begins with an imperative
 */
export const tells = (words: string, isOrder: boolean): boolean =>
  announcement.test(words) ||
  duty.test(words) ||
  opinion.test(words) ||
  opinionSigns.test(words) ||
  (!isOrder && (report.test(words) || ownReport.test(words) || accordingTo.test(words)));

/** Whether a clause says whose words those before it are. */
export const attributes = (words: string): boolean => attribution.test(words);
