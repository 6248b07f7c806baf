import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/**
 * An expression in JSX that ends in what a person wrote: `{investor.name}`, `{bank.accountHolderName}`. Strategies, assets and the
 * lines of charts are named by us.
 */
const PERSONS_TEXT =
  /(?<![=\w$])\{((?!(?:asset|order|line|strategy|network|market)\.)(?:[A-Za-z_]\w*(?:\?\.|\.))+(?:name|fullname|displayName|by|author|investorName|bankName|accountHolderName|firstName|surname|reason|rejection|answeredBy|closedBy|decidedBy))\}/g

function screens(...folders: string[]): string[] {
  return folders
    .flatMap((folder) => globSync(folder, { cwd: root }))
    .filter((file) => !file.includes('.test.'))
}

it('what a person wrote is isolated wherever it stands in a sentence, so that it cannot reorder the words around it', () => {
  const found: string[] = []
  let isolated = 0
  for (const file of screens('src/{islands,design}/**/*.tsx')) {
    const text = readFileSync(resolve(root, file), 'utf8')
    for (const match of text.matchAll(PERSONS_TEXT)) {
      if (text.slice(0, match.index).endsWith('<bdi>')) isolated++
      else found.push(`${file}: ${match[0]}`)
    }
  }
  expect(found).toEqual([])
  expect(isolated).toBeGreaterThan(20)
})

/** Fields and variables that hold what a person wrote. */
const PERSONS_FIELD =
  /^(?:name|fullname|displayName|by|author|investorName|bankName|accountHolderName|firstName|surname|reason|rejection|answeredBy|closedBy|documentName|person|label)$/
/** The same in the Worker, where most names are ours. */
const PERSONS_FIELD_OF_WORKER =
  /^(?:displayName|investorName|operatorName|requestInvestorName|bankName|accountHolderName|firstName|surname)$/
/** Things that we name ourselves. */
const OURS =
  /^(?:asset|order|line|strategy|network|market|venue|check|change|shown|endpoint|QUEUES\[kind\]|file|kind|limit)$/
/** Files in which a variable `name` or `label` holds a word of ours. */
const OUR_FILES =
  /islands\/(?:lib|overview|investing|money\/transactions|console\/(?:venue|strategies\/queue|settings\/(?:ChangeSetting|Settings)\.|health))|design\//
/** Templates that may hold a person's words as they are. */
const EXCUSED: Readonly<Record<string, string>> = {
  "src/islands/console/reviewerKeys/MakeKey.tsx: session?.name ?? ''":
    'a hidden field that password managers save',
  'src/islands/console/messages/Reply.tsx: label': 'the words of our own link',
  'src/islands/console/withdrawals/Destination.tsx: bank.firstName': 'copied by the person who pays',
  'src/islands/console/withdrawals/Destination.tsx: bank.surname': 'copied by the person who pays',
}

/** The name that a template inserts: the last part of `a.b.c`, also of `a?.b ?? 'nobody'`. */
function insertedName(expression: ts.Expression): { name: string; of: string | null } | null {
  if (
    ts.isBinaryExpression(expression) &&
    expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken
  )
    return insertedName(expression.left)
  if (ts.isIdentifier(expression)) return { name: expression.text, of: null }
  if (!ts.isPropertyAccessExpression(expression)) return null
  const of = expression.expression.getText().replaceAll('?', '').split('.').at(-1) ?? ''
  return { name: expression.name.text, of }
}

function isPersonsText(file: string, expression: ts.Expression): boolean {
  const inserted = insertedName(expression)
  if (inserted === null) return false
  const { name, of } = inserted
  if (file.startsWith('worker/')) return of !== null && PERSONS_FIELD_OF_WORKER.test(name)
  return PERSONS_FIELD.test(name) && (of === null ? !OUR_FILES.test(file) : !OURS.test(of))
}

it('what a person wrote is isolated in each sentence that is built as a plain string', () => {
  const found: string[] = []
  let isolated = 0
  for (const file of screens('src/{islands,design}/**/*.{ts,tsx}', 'worker/**/*.ts')) {
    const text = readFileSync(resolve(root, file), 'utf8')
    const visit = (node: ts.Node): void => {
      // Tagged templates are SQL, and React's keys are not shown.
      if (ts.isTaggedTemplateExpression(node)) return
      if (ts.isJsxAttribute(node) && node.name.getText() === 'key') return
      if (ts.isTemplateSpan(node)) {
        const where = `${file}: ${node.expression.getText()}`
        if (node.expression.getText().startsWith('isolate(')) isolated++
        else if (isPersonsText(file, node.expression) && EXCUSED[where] === undefined) found.push(where)
      }
      ts.forEachChild(node, visit)
    }
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  }
  expect(found).toEqual([])
  expect(isolated).toBeGreaterThan(60)
}, 30_000)
