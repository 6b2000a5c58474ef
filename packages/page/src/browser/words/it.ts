/** The texts in Italian. */
import type { Words } from "./en.ts"
import problems from "./problems/it.ts"
import { problemOf } from "./problems/problemOf.ts"

const it: Words = {
  direction: "ltr",
  title: "Sojourn",
  signIn: "Accedi",
  signOut: "Esci",
  signOutEverywhere: "Esci ovunque",
  signOutEverywhereSure: "Uscire ovunque? Tutti i suoi token smettono di valere, su ogni dispositivo.",
  userName: "Indirizzo e-mail o identificativo",
  password: "Password",
  token: "Token di accesso",
  withPassword: "Con nome utente e password",
  withToken: "Con un token di accesso",
  keepSession: "Mantieni l'accesso finché questa scheda è aperta",
  signInWrong: "Nome utente o password errati.",
  signInElsewhere: "Questo server non accetta password. Acceda con un token di accesso.",
  signInDelayed: "Troppi tentativi. Riprovi più tardi.",
  tokenWrong: "Questo non è un token di accesso.",
  sessionEnded: "La sessione è terminata. Acceda di nuovo.",
  skipToContent: "Vai al contenuto",
  chooseLanguage: "Lingua",

  loading: "Caricamento ...",
  tryAgain: "Riprova",
  notReached: "Il server non è stato raggiunto.",
  refused: (status) => `Il server ha rifiutato (${status}).`,
  problem: (type) => problemOf(problems, type),
  reloadPage: "Non è stato possibile caricare questa parte della pagina. Ricarichi la pagina.",

  connecting: "Connessione in corso ...",
  live: "In diretta",
  lost: (time) => `Connessione persa. Dati aggiornati a: ${time}. Nuovo tentativo ...`,
  replaced: (time) =>
    `Ha aperto troppe pagine e una più recente ha sostituito questa. Dati aggiornati a: ${time}. Nuovo tentativo tra un minuto o due ...`,
  stale: "Il database del server non è raggiungibile. I numeri potrebbero non essere aggiornati.",

  organizations: "Organizzazioni",
  noOrganizations: "Non è amministratore di alcuna organizzazione.",
  goneForbidden: (name) => `La sua autorizzazione per ${name} è stata revocata.`,
  goneDeleted: (name) => `${name} è stata eliminata.`,
  permission: { viewer: "lettura", manager: "gestione", owner: "titolare" },

  whole: "Intera organizzazione",
  inside: "presenti",
  insideOf: (count) => `${count} presenti`,
  left: "usciti",
  capacity: "Capienza",
  state: "Stato",
  level: {
    none: "senza capienza",
    normal: "normale",
    warning: "quasi pieno",
    full: "pieno",
    over: "oltre la capienza"
  },
  map: "Mappa delle aree",
  places: "Luoghi",
  place: "Luogo",
  inParts: (count) => `${count} nelle sue parti`,
  partsHint:
    "«Nelle sue parti» somma i conteggi di tutti i luoghi contenuti. Non è un numero di persone: in una stanza e sul suo piano una persona conta due volte.",
  showParts: (name) => `Mostra le parti di ${name}`,
  hideParts: (name) => `Nascondi le parti di ${name}`,

  sortBy: "Ordina per",
  orders: { given: "Ordine della mappa", name: "Nome", fullness: "Riempimento" },
  closeDetails: (name) => `Chiudi ${name}`,

  history: "Andamento",
  ranges: { day: "Oggi", week: "7 giorni", quarter: "90 giorni" },
  noHistory: "Non c'è ancora alcun andamento.",
  historySummary: (least, most, average) => `Tra ${least} e ${most} presenti, ${average} in media`,
  historyBegan: (time) => `da quando il conteggio è iniziato, ${time}`,
  now: "Ora",
  weekBefore: "Una settimana prima",
  busiestHours: "Ore più frequentate",
  historyKey: "La linea è la media, la fascia va dal minimo al massimo.",

  whoIsInside: "Chi è presente",
  search: "Cerca",
  allOut: "Tutti fuori",

  muster: "Appello",
  drill: "Prova di evacuazione",
  evacuation: "Evacuazione",
  start: "Inizia",
  end: "Termina l'appello",
  print: "Stampa",
  downloadCsv: "Scarica come CSV",
  musterOpen: (kind, time) => `${kind} in corso, inizio: ${time}`,
  printedAt: (time) => `Stampato ${time}`,
  toMuster: "Mostra l'appello",

  counted: "Persone contate",
  countedShare: (counted, stays) => `${counted} contate dai dispositivi, ${stays} con permanenza`,

  devices: "Dispositivi",

  overview: "Panoramica",

  areas: "Aree",
  deleted: (name) => `${name} è stato eliminato.`,
  cancel: "Annulla",
  zoomIn: "Ingrandisci",
  zoomOut: "Riduci",
  showAll: "Mostra tutto",
  floor: (level: string) => `Piano ${level}`,
  floorLevel: "Piano",
  west: "Ovest",
  south: "Sud",
  east: "Est",
  north: "Nord",
  rotation: "Rotazione in gradi, in senso orario",

  previousPage: "Pagina precedente",
  nextPage: "Pagina successiva",

  row: "Riga",
  organizationId: "Identificativo dell'organizzazione",

  signInWith: (issuer) => `Accedi con ${issuer}`,
  issuerRefused: (reason) => `L'accesso non è riuscito (${reason}).`,
  issuerToken: "L'emittente non ha dato un token che questa pagina possa usare.",
  issuerNotReached: "L'emittente non è stato raggiunto, o non consente questa pagina.",

  people: "Persone",
  name: "Nome",
  noRows: "Non c'è nulla da mostrare.",

  changes: "Modifiche",
  // La sessione terminata sopra ciò che è aperto.
  staysOpen: "Ciò che è aperto resta com'è.",
  notForOpen: "Questo amministratore non può vedere ciò che è aperto qui. Acceda con un altro account o esca.",

  // Una giornata che si ripercorre, e i suoi numeri.
  timeOfDay: "Ora del giorno",
  day: "Giorno",
  busiest: "Massimo",
  play: "Riproduci",
  pause: "Pausa",
  replayKeys: "Le frecce spostano di un minuto, Pagina su e Pagina giù di un'ora. Invio porta ai pulsanti.",
  usualOn: (weekday) => `Di solito, di ${weekday}: il minimo, il valore di mezzo e il massimo delle ultime settimane`,
  usualAt: (time, least, middle, most) => `${time}: di solito da ${least} a ${most} presenti, ${middle} nel mezzo`,
  visits: (day) => (day === undefined ? "Visite oggi" : `Visite del ${day}`),
  averageStay: "Permanenza media",
  peak: "Massimo",
  timesIn: (zone) => `Giorni e ore sono quelli di ${zone}.`,

  // The board.
  board: "Tabellone",

  // La barra laterale e il primo sguardo
  navigation: "Navigazione",
  records: "Registri",
  team: "Team",
  settings: "Impostazioni",
  stays: "Permanenze",
  signedInAs: "Accesso effettuato",
  loadingLong: "Caricamento ... Richiede più tempo del solito. Si riprova automaticamente.",
  notThere: (id) => `L'organizzazione ${id} non esiste, o non è tra le Sue.`,
  ofCapacity: (capacity) => `presenti su ${capacity}`,
  countedBefore: (inside, counted, stays) =>
    `${inside} un momento fa: ${counted} dai dispositivi, ${stays} con permanenza`,
  attention: "Richiede attenzione",
  silent: (count) => `Dispositivi muti: ${count}`,
  noPlaces: "Non ci sono ancora luoghi",
  noPlacesHint:
    "I luoghi sono stanze, piani o spazi in cui si contano le persone. Chi gestisce l'organizzazione li disegna sulla mappa.",
  drawFirst: "Disegna il primo luogo"
}

export default it
