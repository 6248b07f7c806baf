/** One entry of the list: a person, company, ship or aircraft. */
export interface SdnEntry {
  /** Its number in the list. */
  readonly uid: string
  /** The main name first, then the aliases. */
  readonly names: readonly string[]
  /** Addresses of coins. The list often gives a wrong coin, so the coin is left out. */
  readonly addresses: readonly string[]
  readonly programs: readonly string[]
  /** As the list writes it: `19 Apr 1960`, `circa 1961`. */
  readonly born: string | null
  /** Of nationality, else of citizenship, else of the addresses. */
  readonly country: string | null
}

const [START, END] = ['<sdnEntry>', '</sdnEntry>']
/** Longer entries are skipped. The longest real one is under 100,000 characters. */
const LONGEST_ENTRY = 250_000
/** The real list has about 20,000. */
const MOST_ENTRIES = 200_000

/**
 * Reads SDN.XML, the list of specially designated nationals as OFAC publishes it
 * (https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN.XML), part by part: the file has about 30 MB.
 * An entry that cannot be read is counted and skipped.
 */
export class SdnReader {
  /** The date that the list gives itself, as `2026-07-30`. */
  publishedOn: string | null = null
  entries = 0
  skipped = 0
  #rest = ''

  /** Takes the next part of the file. Returns the entries that it completes. */
  read(part: string): SdnEntry[] {
    const text = this.#rest + part
    if (this.entries === 0) this.publishedOn ??= findPublishedOn(text)
    const found: SdnEntry[] = []
    let from = 0
    for (let end = text.indexOf(END); end >= 0; end = text.indexOf(END, from)) {
      const entries = text.slice(from, end).split(START).slice(1)
      from = end + END.length
      const entry = parseEntry(entries.pop() ?? '')
      // Those that are left have no end.
      this.skipped += entries.length + (entry === null ? 1 : 0)
      if (entry === null) continue
      this.entries++
      if (this.entries > MOST_ENTRIES) throw new Error('E_SCREENING_LIST: the list has too many entries')
      found.push(entry)
    }
    this.#rest = text.slice(from)
    // Without its start, the rest of a long entry is skipped when its end comes.
    if (this.#rest.length > LONGEST_ENTRY) this.#rest = this.#rest.slice(-END.length)
    return found
  }
}

function findPublishedOn(text: string): string | null {
  const [, month, day, year] = /<Publish_Date>(\d\d)\/(\d\d)\/(\d{4})<\/Publish_Date>/.exec(text) ?? []
  return year === undefined ? null : `${year}-${month}-${day}`
}

const COIN_ADDRESS = 'Digital Currency Address'

function parseEntry(xml: string): SdnEntry | null {
  const [uid] = findTexts(xml, 'uid')
  const aliases = findElements(xml, 'aka')
  const names = [xml.replace(/<akaList>[\s\S]*<\/akaList>/, ''), ...aliases].map(readName).filter(Boolean)
  const addresses = findElements(xml, 'id')
    .filter((id) => findTexts(id, 'idType')[0]?.startsWith(COIN_ADDRESS))
    .flatMap((id) => findTexts(id, 'idNumber'))
  if (uid === undefined || (names.length === 0 && addresses.length === 0)) return null
  return {
    uid,
    names: [...new Set(names)],
    addresses,
    programs: findTexts(xml, 'program'),
    born: findTexts(xml, 'dateOfBirth')[0] ?? null,
    country: findCountries(xml),
  }
}

function findCountries(xml: string): string | null {
  const [found] = ['nationality', 'citizenship', 'address']
    .map((element) => new Set(findElements(xml, element).flatMap((part) => findTexts(part, 'country'))))
    .filter(({ size }) => size > 0)
  return found === undefined ? null : [...found].join(', ')
}

function readName(xml: string): string {
  return [findTexts(xml, 'firstName')[0], findTexts(xml, 'lastName')[0]].filter(Boolean).join(' ')
}

function findElements(xml: string, name: string): string[] {
  return xml
    .split(`<${name}>`)
    .slice(1)
    .flatMap((text) => text.split(`</${name}>`, 1))
}

/** The texts of elements without children. */
function findTexts(xml: string, name: string): string[] {
  return findElements(xml, name)
    .filter((text) => !text.includes('<'))
    .map(decodeEntities)
    .filter(Boolean)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity).trim()
}
