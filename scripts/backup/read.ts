import { createHash } from 'node:crypto'
import { hashSha256 } from './bucket.ts'
import { ERASED_FILE, type ErasureList } from './erased.ts'
import type { Manifest } from './manifest.ts'
import { computeChecksum, parseRow, type Row } from './rows.ts'
import { collectBytes, openFolder, readLines } from './sealed.ts'

export interface Backup {
  readonly manifest: Manifest
  /** The digest of the manifest. */
  readonly sha256: string
  lines(table: string): AsyncIterable<string>
  rows(table: string): AsyncIterable<Row>
  file(index: number): Promise<Uint8Array<ArrayBuffer>>
}

/**
 * Opens a backup. `identities` are the age keys of an encrypted one. `sha256` is the digest that was printed when it was made:
 * a manifest with another digest is refused.
 */
export async function openBackup(
  directory: string,
  identities: readonly string[] = [],
  sha256?: string,
): Promise<Backup> {
  const folder = openFolder(directory, { identities })
  const text = await collectBytes(folder.read('manifest.json'))
  const found = hashSha256(text)
  if (sha256 !== undefined && found !== sha256)
    throw new Error('The manifest is not the one that was written: its digest is another.')
  const manifest: Manifest = JSON.parse(new TextDecoder().decode(text))
  if (manifest.format !== 1)
    throw new Error(`The backup is of format ${manifest.format}, which is not known here.`)
  const readTableLines = (table: string) => readLines(folder.read(`tables/${table}.jsonl`))
  return {
    manifest,
    sha256: found,
    lines: readTableLines,
    async *rows(table) {
      for await (const line of readTableLines(table)) yield parseRow(parseLine(line).json)
    },
    file: (index) => collectBytes(folder.read(`files/${index}`)),
  }
}

/** Reads the list of erased data, from a newer backup or its own file. */
export async function readErased(path: string, identities: readonly string[] = []): Promise<ErasureList> {
  const [, directory = '.', name = path] = /^(.*)\/([^/]+\.json)(?:\.age)?$/.exec(path) ?? [
    null,
    path,
    ERASED_FILE,
  ]
  return JSON.parse(
    new TextDecoder().decode(await collectBytes(openFolder(directory, { identities }).read(name))),
  )
}

interface Line {
  readonly sum: string
  readonly json: string
}

/** Compares a backup with its manifest. Returns a list of the changes, additions and missing parts. */
export async function checkBackup(backup: Backup): Promise<string[]> {
  const { manifest } = backup
  const findings: string[] = []
  for (const { name, rows, sha256 } of manifest.tables) {
    try {
      findings.push(...(await checkTable(name, rows, sha256, backup.lines(name))))
    } catch (error) {
      findings.push(`Table ${name} cannot be read: ${describeError(error)}`)
    }
  }
  for (const [index, file] of manifest.files.entries()) {
    try {
      const bytes = await backup.file(index)
      if (hashSha256(bytes) !== file.sha256) findings.push(`File ${file.key} (files/${index}) was changed.`)
    } catch (error) {
      findings.push(`File ${file.key} (files/${index}) cannot be read: ${describeError(error)}`)
    }
  }
  return findings
}

async function checkTable(
  name: string,
  rows: number,
  sha256: string,
  lines: AsyncIterable<string>,
): Promise<string[]> {
  const hash = createHash('sha256')
  const findings: string[] = []
  let index = 0
  let missing = 0
  for await (const line of lines) {
    const { sum, json } = parseLine(line)
    hash.update(`${json}\n`)
    const place = index + missing
    if (sum === computeChecksum(name, place, json)) index++
    else {
      const gone = [1, 2, 3, 4, 5].find((skipped) => sum === computeChecksum(name, place + skipped, json))
      if (gone === undefined) {
        findings.push(`Row ${place + 1} of ${name} was changed: ${json.slice(0, 120)}`)
        index++
      } else {
        findings.push(
          `Row ${place + 1} of ${name} is missing${gone > 1 ? `, and ${gone - 1} after it` : ''}.`,
        )
        missing += gone
        index++
      }
      if (findings.length >= MOST_FINDINGS) break
    }
  }
  if (findings.length > 0) return findings
  if (index !== rows)
    return [`Table ${name} has ${index} rows, the manifest says ${rows}: the last ones are missing or added.`]
  return hash.digest('hex') === sha256 ? [] : [`Table ${name} has rows that are not those of the manifest.`]
}

const MOST_FINDINGS = 5

function parseLine(line: string): Line {
  const [, sum, json] = /^\["([0-9a-f]{16})",(\[.*\])\]$/.exec(line) ?? []
  if (sum === undefined || json === undefined) throw new Error('a line is not one of a backup')
  return { sum, json }
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
