import ts from 'typescript'

export interface TestSource {
  source: string
  /** Its first line, counted from 1. */
  line: number
}

/**
 * The call of `test` or `it` with exactly this name in a test file. `${…}` and `%s` in a name are compared as written.
 *
 * @returns undefined if no such test runs. A skipped test, a todo and a test without a body are no evidence
 */
export function testSource(text: string, name: string): TestSource | undefined {
  for (const file of parseBothWays(text)) {
    const call = find(file, name)
    if (call === undefined) continue
    const { line, character } = file.getLineAndCharacterOfPosition(call.getStart())
    return { source: removeIndent(call.getText(), character), line: line + 1 }
  }
  return undefined
}

/** Several claims use tests of the same file, which is parsed once. */
const parsedFiles = new Map<string, ts.SourceFile>()

// In a .tsx file `<Row>(row: Row) => …` reads as an element, so each file is parsed both ways.
function* parseBothWays(text: string): Generator<ts.SourceFile> {
  for (const kind of [ts.ScriptKind.TS, ts.ScriptKind.TSX]) {
    const key = `${kind} ${text}`
    const file =
      parsedFiles.get(key) ?? ts.createSourceFile('test.tsx', text, ts.ScriptTarget.Latest, true, kind)
    parsedFiles.set(key, file)
    yield file
  }
}

function find(node: ts.Node, name: string): ts.CallExpression | undefined {
  if (ts.isCallExpression(node)) {
    const words = getCallee(node)
    if (words.some((word) => DISABLING.has(word))) return undefined
    if (isTest(words) && getTestName(node) === name && hasRunningBody(node)) return node
  }
  return ts.forEachChild(node, (child) => find(child, name))
}

/** Modifiers of tests and groups that may not run, or are expected to fail. */
const DISABLING = new Set(['skip', 'skipIf', 'runIf', 'todo', 'only', 'fixme', 'fail', 'fails'])

/** `test.each(rows)(…)` is called `['test', 'each']`. */
function getCallee(call: ts.CallExpression): string[] {
  const words: string[] = []
  let callee: ts.Expression = call.expression
  for (;;) {
    if (ts.isCallExpression(callee)) callee = callee.expression
    else if (ts.isTaggedTemplateExpression(callee)) callee = callee.tag
    else if (ts.isPropertyAccessExpression(callee)) {
      words.unshift(callee.name.text)
      callee = callee.expression
    } else return ts.isIdentifier(callee) ? [callee.text, ...words] : []
  }
}

function isTest([first, ...others]: string[]): boolean {
  return (first === 'test' || first === 'it') && others.every((word) => MAY_FOLLOW.has(word))
}

const MAY_FOLLOW = new Set(['each', 'for', 'concurrent', 'sequential', 'extend'])

function getTestName(call: ts.CallExpression): string | undefined {
  const [name] = call.arguments
  if (name === undefined) return undefined
  if (ts.isStringLiteral(name) || ts.isNoSubstitutionTemplateLiteral(name)) return name.text
  return ts.isTemplateExpression(name) ? name.getText().slice(1, -1) : undefined
}

function hasRunningBody(call: ts.CallExpression): boolean {
  const body = call.arguments.find(
    (argument) => ts.isArrowFunction(argument) || ts.isFunctionExpression(argument),
  )
  return body !== undefined && !hasStop(body)
}

/** In Playwright and Vitest, a call inside a test can also skip it. */
const STOPS = /^(?:skip|(?:test|it|context)\.(?:skip|fixme|fail))$/

function hasStop(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && STOPS.test(getCallee(node).join('.'))) return true
  return ts.forEachChild(node, hasStop) ?? false
}

function removeIndent(text: string, by: number): string {
  return by === 0 ? text : text.replace(new RegExp(`\\n {1,${by}}`, 'g'), '\n')
}
