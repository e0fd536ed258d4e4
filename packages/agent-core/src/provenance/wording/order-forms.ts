import { anyOf, lead, wholeWord } from './word-patterns.ts';

/** How orders and questions are told. All patterns are of words in lower case without accents, divided by single spaces. */

/** What follows these in a clause is what somebody asks about, or says more of an object. */
export const questionWord = new RegExp(
  `(?:^| )(?:s(?= ils? (?!te |vous ))|com[oe](?= (?:se|si|puedo|podemos|posso|podemos|faco|hago|faccio|e que) )|${anyOf(`
  who whom whose what which when where why how whether if wer wen wem was welche welcher welches welchen welchem wann wo warum wie(?!.(?:besprochen|gesagt|gewunscht|vereinbart|abgesprochen)) wieviel ob
  qui quoi quel quelle quels quelles quand pourquoi comment combien quien quienes cual cuales cuando donde cuanto cuanta chi quale quando
  dove perche quanto quem qual quais wat welke hoe waarom wanneer kto ktory ktora ktore jaki jaka jakie jak kiedy gdzie dlaczego czemu czy кто что какои какая какое какие каков сколько когда где почему зачем ли как هل كم متى اين ماذا كيف لماذا
  מה מי כמה מתי איפה האם איך τι ποιος ποια ποιο ποσο ποτε πως`)})(?= |$)`,
  'u',
);
export const questionSigns =
  /什么|什麼|多少|[谁誰哪吗嗎]|怎么|怎麼|何(?:を|が|で|の|か|円|$)|どう|どの|どれ|いくら|だれ|なに|ですか|ますか|까$|나요|뭐|무엇|얼마|누구|언제/u;
const polite = wholeWord(
  `please kindly bitte veuillez plait svp favor favore puedes podrias puoi potresti peux pouvez pourrais pourriez kannst konntest
   пожалуиста можешь можете παρακαλω μπορεις μπορειτε`,
);
const politePhrases =
  /(?:can|could|would|will) you |(?:konnen|konnten|wurden) sie |(?:kun|kan|wil) je |(?:kunt|wilt) u |(?:wurdest|magst) du |(?:^| )(?:mozesz|moglbys|podes|podias|poderias|podrias) |(?:^|por favor )me \p{L}+[ae]s (?!que )|请|請|你能|能否|能不能|帮我|ください|もらえ|くれ|주세요|줄래|من فضلك|يمكنك|בבקשה|תוכל/u;

/** Orders that ask for an answer alone. */
export const inquiry = new RegExp(
  `^${lead}(?:(?:give|get|show|tell|send|write|make|list|find)(?: me| us) (?!tags? |labels? )|let (?:me|us) know|find out|describe(?! the (?:tag|label|prompt|schema) )|(?:i|we) (?:need|want|would like|d like)(?: you)? to (?:know|see|understand|tell|explain)|(?:write|make|give|prepare)(?: me| us)? (?:a|an|the)(?: short| brief| quick)? (?:summary|list|table|overview|translation|sum|total)|${anyOf(`
    explicame explicanos muestrame muestranos ensename dinos indicame spiegami mostrami elenca elencale elencali mostra mostrame mostre enumera lista
    wyjasnij pokaz wypisz powiedz leg toon vertel
    tell show explain summarise summarize compare calculate compute count list say reply answer quote
    erklar erklare zeig zeige sag sage beschreib beschreibe vergleich vergleiche berechne liste zusammenfassen fass fasse
    resume resumez explique expliquez montre montrez decris compare compte
    resumir explica explique muestra dime diga digame dame cuenta riassumi spiega mostra dimmi dammi confronta
    resuma mostre diga explica
    расскажи скажи объясни покажи перечисли`)}|(?:gib|nenne?) (?:mir|uns)|(?:dis|dites|donne|donnez) (?:moi|nous))(?: |$)`,
  'u',
);

/** How an order begins. */
export const imperative = new RegExp(
  `^${lead}${anyOf(`
    use apply put add take run set assign give attach try choose pick start rename change update edit adapt fix correct delete remove erase
    discard clean clear tidy drop trash bin purge throw move call reword rewrite replace improve shorten merge extract read process tag
    label classify categorise categorize sort organise organize release publish
    nimm verwende verwenden nutze setz setze gib hang hange wahle andere benenn benenne losch losche entfern entferne raum raume wirf
    rerun rework mets mettez utilise utilisez applique appliquez ajoute ajoutez prends lance change modifie supprime supprimez efface retire enleve jette
    usa use pon ponle ponla ponlo aplica agrega anade elige cambia borra elimina quita
    renomme renommez renombra renombrala renombralo rinomina rinominala rinominalo renomeia renomeie hernoem benennt
    applica mettila mettilo aggiungi scegli modifica cancella rimuovi apaga exclua
    deita joga tira haal gooi verwijder usun skasuj wyrzuc wywal remova remove apague exclui
    sil silin kaldir smaz smazte odstran odstrante sterge stergeti elimina slet slett fjern radera poista torold hapus xoa видали видалити
    удали удалите убери уберите сотри сотрите выброси измени поставь احذف امسح ازل`)}(?: |$)`,
  'u',
);

/** Whether a question is an order that is put politely. */
export const isPolite = (said: string): boolean => polite.test(said) || politePhrases.test(said);
