/** A trigger with one change. */
export interface Mutant {
  /** What was changed, with the words before it: unique within its trigger. */
  readonly change: string
  readonly sql: string
}

interface Token {
  readonly text: string
  /** Upper case for a word that stands outside quotes, otherwise the text. */
  readonly word: string
  readonly from: number
  readonly to: number
  /** How many parentheses and CASEs are open. */
  readonly depth: number
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  IS: 'IS NOT',
  'IS NOT': 'IS',
  IN: 'NOT IN',
  'NOT IN': 'IN',
  BETWEEN: 'NOT BETWEEN',
  'NOT BETWEEN': 'BETWEEN',
  GLOB: 'NOT GLOB',
  'NOT GLOB': 'GLOB',
  LIKE: 'NOT LIKE',
  'NOT LIKE': 'LIKE',
  EXISTS: 'NOT EXISTS',
  'NOT EXISTS': 'EXISTS',
}

/** An inclusive bound becomes exclusive, and an exclusive one inclusive. */
export const NEXT_BOUNDS: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

const CONTEXT_TOKENS = 6

/** A change of SQL: the replacement takes the place of the tokens from `first` to `last`. */
interface SqlChange {
  readonly first: number
  readonly last: number
  readonly replacement: string
}

/**
 * All versions of a trigger with one change: a refusal left out, a comparison turned into its opposite, or a bound moved by one.
 * `=` after SET assigns, so it stays.
 */
export function buildMutants(sql: string): readonly Mutant[] {
  const tokens = readTokens(sql)
  // The header names the event and the table. Comparisons may stand from WHEN on.
  const start = tokens.findIndex(({ word }) => word === 'WHEN' || word === 'BEGIN')
  const mutants: Mutant[] = []
  for (const { first, last, replacement } of changeTokens(tokens, start)) {
    const { from, to } = locate(tokens, first, last)
    const before = tokens.slice(Math.max(0, first - CONTEXT_TOKENS), first).map(({ text }) => text)
    const after = tokens.slice(last + 1, last + 4).map(({ text }) => text)
    let change = `${before.join(' ')} [${sql.slice(from, to)} → ${replacement}] ${after.join(' ')}`
    while (mutants.some((mutant) => mutant.change === change)) change += ' (again)'
    mutants.push({ change, sql: sql.slice(0, from) + replacement + sql.slice(to) })
  }
  return mutants
}

/** The same changes of any other text of SQL: the places of what is replaced. */
export function findSqlChanges(sql: string) {
  const tokens = readTokens(sql)
  return changeTokens(tokens, 0).map(({ first, last, replacement }) => ({
    ...locate(tokens, first, last),
    replacement,
    isBound: NEXT_BOUNDS[tokens[first]?.word ?? ''] === replacement,
  }))
}

function locate(tokens: readonly Token[], first: number, last: number): { from: number; to: number } {
  return { from: tokens[first]?.from ?? 0, to: tokens[last]?.to ?? 0 }
}

function changeTokens(tokens: readonly Token[], start: number): readonly SqlChange[] {
  const changes: SqlChange[] = []
  let assigningDepth: number | null = null
  const add = (first: number, last: number, replacement: string) => changes.push({ first, last, replacement })
  for (let at = start; at < tokens.length; at++) {
    const { word, depth } = tokens[at] as Token
    if (word === 'SET') assigningDepth = depth
    else if (word === ';' || (depth === assigningDepth && (word === 'WHERE' || word === 'FROM')))
      assigningDepth = null
    if (word === 'RAISE') {
      const end = tokens.findIndex((token, index) => index > at && token.word === ')')
      add(at, end, 'NULL')
    }
    if (word === '=' && depth === assigningDepth) continue
    const next = tokens[at + 1]?.word
    const previous = tokens[at - 1]?.word
    const isPair =
      (word === 'NOT' && next !== 'NULL' && `NOT ${next}` in OPPOSITES) || `${word} ${next}` === 'IS NOT'
    const operator = isPair ? `${word} ${next}` : word
    const last = isPair ? at + 1 : at
    const isSecond = previous === 'NOT' && `NOT ${word}` in OPPOSITES
    const opposite = isSecond ? undefined : OPPOSITES[operator]
    if (opposite !== undefined) add(at, last, opposite)
    const bound = NEXT_BOUNDS[operator]
    if (bound !== undefined) add(at, last, bound)
    if (isPair) at = last
  }
  return changes
}

/** Words of a text of SQL outside quotes and comments, in upper case. */
export function wordsOf(sql: string): readonly string[] {
  return readTokens(sql).map(({ word }) => word)
}

function readTokens(sql: string): readonly Token[] {
  const pattern =
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\w+|<>|<=|>=|!=|==|<<|>>|\|\||->>?|[^\s\w]/g
  const tokens: Token[] = []
  let depth = 0
  for (const match of sql.matchAll(pattern)) {
    const [text] = match
    if (text.startsWith('--') || text.startsWith('/*')) continue
    const word = /^\w/.test(text) ? text.toUpperCase() : text
    // The END of the trigger itself leaves the depth below zero, where nothing follows.
    if (word === ')' || word === 'END') depth -= 1
    tokens.push({ text, word, from: match.index, to: match.index + text.length, depth })
    if (word === '(' || word === 'CASE') depth += 1
  }
  return tokens
}
