import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFreshDatabase } from '../scripts/backup/tables.ts'

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const PAGES = ['deploying', 'runbook', 'operations']
const pages = new Map(PAGES.map((name) => [`${name}.md`, read(`docs/${name}.md`)]))
const handbook = [...pages.values()].join('\n')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

/** The first group of each match, without duplicates. */
function matches(pattern: RegExp, text = handbook): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
}

/** Method and path of each endpoint of the contract, as they stand in its sources. */
function endpoints(): Set<string> {
  const files = readdirSync(join(root, 'src/contract'), { recursive: true, encoding: 'utf8' })
  return new Set(
    files
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [...read(`src/contract/${name}`).matchAll(/endpoint\(\s*'([A-Z]+)',\s+'([^']+)'/g)])
      .map(([, method, path]) => `${method} /api/v1${path}`),
  )
}

describe('the operators’ pages', () => {
  it('names only npm commands that exist', () => {
    const commands = matches(/npm (?:run )?([a-z][a-z:-]*)/g)
    expect(commands.length).toBeGreaterThan(5)
    expect(commands.filter((name) => !(name in scripts))).toEqual([])
  })

  it('uses only options that the commands accept', () => {
    const uses = [
      ...handbook.matchAll(/npm run (backup|restore|launch-check|rotate-keys|rollback|deploy) -- ([^\n`]*)/g),
    ]
    expect(uses.length).toBeGreaterThan(6)
    for (const [, name = '', given = ''] of uses)
      for (const [, option = ''] of given.replace(/ #.*$/, '').matchAll(/--([a-z0-9-]+)/g))
        expect([name, read(`scripts/${name}.mjs`)]).toEqual([
          name,
          expect.stringMatching(new RegExp(`'?${option}'?: \\{ type`)),
        ])
  })

  it('links to and names only files that exist', () => {
    const links = matches(/\]\(([^)#:]+)(?:#[^)]*)?\)/g).map((path) => join('docs', path))
    const files = matches(/`((?:src|scripts|test|docs|worker)\/[^`]+\.[a-z]+|[a-z]+\.toml)`/g)
    expect(links.length).toBeGreaterThan(4)
    expect(files.length).toBeGreaterThan(3)
    expect([...links, ...files].filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('links only to sections that exist', () => {
    const sections = (page: string) =>
      matches(/^#+ (.+)$/gm, pages.get(page)).map((title) =>
        title
          .toLowerCase()
          .replace(/[^\w\- ]/g, '')
          .replaceAll(' ', '-'),
      )
    const links = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([a-z]+\.md)?#([^)]+)\)/g)]
        .map(([, other = page, section = '']) => ({ page, other, section }))
        .filter(({ other }) => pages.has(other)),
    )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ other, section }) => !sections(other).includes(section))).toEqual([])
  })

  it('names only API calls of the contract', () => {
    const calls = matches(/`((?:GET|POST|PATCH|DELETE) \/api\/v1\/[^`]+)`/g)
    const known = endpoints()
    expect(calls.length).toBeGreaterThan(6)
    expect(calls.filter((call) => !known.has(call))).toEqual([])
  })

  it('has only queries that the database accepts', () => {
    const queries = matches(/--command "([^"]+)"/g)
    expect(queries.length).toBeGreaterThan(4)
    const database = createFreshDatabase()
    for (const query of queries) expect(() => database.exec(query), query).not.toThrow()
  })

  it('has the sections that the launch check refers to', () => {
    const references = [...read('scripts/launch/checks.ts').matchAll(/docs\/([a-z]+\.md), "([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(4)
    for (const [, page = '', start = ''] of references)
      expect([page, start, matches(/^#+ (.+)$/gm, pages.get(page))]).toEqual([
        page,
        start,
        expect.arrayContaining([expect.stringMatching(new RegExp(`^${start}`))]),
      ])
  })
})
