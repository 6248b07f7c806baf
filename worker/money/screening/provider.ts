import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../src/contract/bytes.ts'
import type { ScreeningRecord } from '../../../src/contract/console/cases.ts'
import type { Env } from '../../lib/env.ts'
import { foldName, isSamePerson, splitName } from '../../lib/foldName.ts'
import { type SdnEntry, SdnReader } from './sdnList.ts'

/** The names of a person and the address of a coin, to be compared with a list. */
export interface ScreeningSubject {
  readonly names: readonly string[]
  readonly address: string | null
}

export interface ScreeningList {
  readonly name: string
  /** The date that the list gives itself. */
  readonly date: string | null
  /** SHA-256 of the file. */
  readonly hash: string
}

export interface ScreeningResult {
  readonly list: ScreeningList
  /** The entries that may be meant, for each subject in their order. */
  readonly matches: readonly (readonly Match[])[]
}

export type Match = ScreeningRecord['matches'][number]

/** Whoever compares people and addresses with a sanctions list. */
export interface ScreeningProvider {
  /** Changes with the list: cases are screened again under a new version. Null without a list. */
  findVersion(): Promise<string | null>
  screen(subjects: readonly ScreeningSubject[]): Promise<ScreeningResult>
}

const NO_PROVIDER: ScreeningProvider = {
  findVersion: async () => null,
  screen: async () => {
    throw new Error('unreachable: there is no list')
  },
}

/** The provider that the environment names: OFAC's list in the bucket, or none. */
export function findScreeningProvider({ SCREENING_LIST: key = '', FILES }: Env): ScreeningProvider {
  if (key === '') return NO_PROVIDER
  const fail = () => {
    throw new Error('E_SCREENING_LIST: the bucket has no such list')
  }
  return {
    findVersion: async () => (await FILES.head(key))?.version ?? fail(),
    screen: async (subjects) => screenAgainstFile((await FILES.get(key))?.body ?? fail(), subjects),
  }
}

/** Reads a list once for all subjects. Refuses a file without entries, because everybody would pass. */
async function screenAgainstFile(
  file: ReadableStream<Uint8Array>,
  subjects: readonly ScreeningSubject[],
): Promise<ScreeningResult> {
  const [hash, texts] = [sha256.create(), new TextDecoder()]
  const reader = new SdnReader()
  const names = indexByWord(subjects)
  const matches = subjects.map((): Match[] => [])
  const addEntries = (entries: readonly SdnEntry[]) => {
    for (const entry of entries)
      for (const [place, name] of findMatches(entry, subjects, names))
        matches[place]?.push({
          ...{ uid: entry.uid, name, programs: entry.programs.join(', '), born: entry.born },
          ...(entry.country !== null && { country: entry.country }),
        })
  }
  for await (const part of file) {
    hash.update(part)
    addEntries(reader.read(texts.decode(part, { stream: true })))
  }
  if (reader.entries === 0) throw new Error('E_SCREENING_LIST: the list has no entries')
  return { list: { name: 'OFAC SDN', date: reader.publishedOn, hash: toHex(hash.digest()) }, matches }
}

/** The subjects with a word in one of their names, so that each listed name is compared with few. */
function indexByWord(subjects: readonly ScreeningSubject[]): ReadonlyMap<string, ReadonlySet<number>> {
  const index = new Map<string, Set<number>>()
  for (const [place, { names }] of subjects.entries())
    for (const word of names.flatMap(splitName)) index.set(word, (index.get(word) ?? new Set()).add(place))
  return index
}

/** The subjects that an entry may mean, each with the name or address that agrees. */
function findMatches(
  { names, addresses }: SdnEntry,
  subjects: readonly ScreeningSubject[],
  index: ReadonlyMap<string, ReadonlySet<number>>,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const listed of names)
    for (const place of new Set(splitName(listed).flatMap((word) => [...(index.get(word) ?? [])])))
      if (subjects[place]?.names.some((name) => isPossiblySame(listed, name))) found.set(place, listed)
  for (const listed of addresses)
    for (const [place, { address }] of subjects.entries())
      if (address !== null && normalizeAddress(address) === normalizeAddress(listed)) found.set(place, listed)
  return found
}

/** A name of one word agrees only with the same word: a first name alone would agree with thousands. */
function isPossiblySame(listed: string, name: string): boolean {
  if (foldName(listed) === foldName(name)) return true
  return Math.min(splitName(listed).length, splitName(name).length) > 1 && isSamePerson(listed, name)
}

/** Hexadecimal and Bech32 addresses are the same in both cases of letters, others are not. */
function normalizeAddress(address: string): string {
  return /^(?:0x|bc1|tb1|bcrt1)/i.test(address) ? address.toLowerCase() : address
}
