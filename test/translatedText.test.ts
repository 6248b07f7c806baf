import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/**
 * Expressions that hold elements, never text. Everything else that is not JSX may be text.
 */
const ELEMENTS =
  /^(?:children|action|actions|icon|hint|note|head|evidence|decision|buttons|cancel|manage|about|outcome|beside|aside|footer|lead|(?:props|wallet|kind|opened|choice|column|LIST)\.\w+(?:(?:\?\.)?\(.*\))?|render\w*\(.*\)|createPortal\(.*\)|children\(.*\)|consequence|on\(.*\))$/s

/** The values that an expression can have; null stands for nothing. */
function listBranches(expression: ts.Expression): (ts.Expression | null)[] {
  if (ts.isParenthesizedExpression(expression)) return listBranches(expression.expression)
  if (ts.isConditionalExpression(expression))
    return [...listBranches(expression.whenTrue), ...listBranches(expression.whenFalse)]
  if (ts.isBinaryExpression(expression)) {
    const operator = expression.operatorToken.kind
    if (operator === ts.SyntaxKind.AmpersandAmpersandToken) return [null, ...listBranches(expression.right)]
    if (operator === ts.SyntaxKind.BarBarToken || operator === ts.SyntaxKind.QuestionQuestionToken)
      return [...listBranches(expression.left), ...listBranches(expression.right)]
  }
  return [expression.kind === ts.SyntaxKind.NullKeyword ? null : expression]
}

function isMap(expression: ts.Expression): boolean {
  return (
    ts.isCallExpression(expression) &&
    ts.isPropertyAccessExpression(expression.expression) &&
    expression.expression.name.text === 'map'
  )
}

function isText(branch: ts.Expression | null): boolean {
  if (branch === null || isMap(branch)) return false
  if (ts.isJsxElement(branch) || ts.isJsxSelfClosingElement(branch) || ts.isJsxFragment(branch)) return false
  return !ELEMENTS.test(branch.getText())
}

/** Children without line breaks, indentation and comments between them. */
function listChildren(parent: ts.JsxElement | ts.JsxFragment): ts.JsxChild[] {
  return parent.children.filter(
    (child) =>
      !(ts.isJsxText(child) && child.containsOnlyTriviaWhiteSpaces) &&
      !(ts.isJsxExpression(child) && child.expression === undefined),
  )
}

/**
 * The children of one element that would make React fail after a translator has moved their text into an element of its own.
 * React removes or replaces a conditional text, and inserts a conditional element before the text that follows it: both need the
 * text where React put it. A fragment's text is removed with the fragment.
 */
function listBareTexts(parent: ts.JsxElement | ts.JsxFragment): ts.JsxChild[] {
  const children = listChildren(parent)
  const isFragment = ts.isJsxFragment(parent)
  if (children.length < 2 && !isFragment) return []
  let isAfterChange = isFragment
  return children.filter((child) => {
    if (ts.isJsxText(child)) return isAfterChange
    if (!ts.isJsxExpression(child) || child.expression === undefined) return false
    const branches = listBranches(child.expression)
    const hasText = branches.some(isText)
    if (branches.length > 1) {
      isAfterChange ||= !hasText
      return hasText
    }
    isAfterChange ||= branches.every((branch) => branch !== null && isMap(branch))
    return hasText && isAfterChange
  })
}

function listScreens(): string[] {
  return globSync('src/**/*.tsx', { cwd: root }).filter((file) => !file.includes('.test.'))
}

/** Calls `visit` with each node of a file, and with its place for messages. */
function walk(file: string, visit: (node: ts.Node, place: string) => void): void {
  const source = ts.createSourceFile(
    file,
    readFileSync(resolve(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const walkNode = (node: ts.Node): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart())
    visit(node, `${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 100)}`)
    ts.forEachChild(node, walkNode)
  }
  ts.forEachChild(source, walkNode)
}

it('text beside something conditional has an element of its own, so that a page translated by the browser does not crash', () => {
  const found: string[] = []
  let seen = 0
  for (const file of listScreens()) {
    walk(file, (node, place) => {
      if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return
      seen++
      found.push(...listBareTexts(node).map((text) => `${place}: ${text.getText().trim()}`))
    })
  }
  expect(found).toEqual([])
  expect(seen).toBeGreaterThan(1000)
}, 30_000)

/** What a translator must not change: people compare and copy it. */
const EXACT = /^(?:ref|reference|txid|hash|address|fingerprint|secret|email|referralLink)$/

function isTranslated(element: ts.JsxOpeningElement): boolean {
  return !element.attributes.properties.some(
    (attribute) => ts.isJsxAttribute(attribute) && attribute.getText() === 'translate="no"',
  )
}

function isExact(child: ts.JsxChild): boolean {
  if (!ts.isJsxExpression(child) || child.expression === undefined) return false
  const { expression } = child
  const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression
  return ts.isIdentifier(name) && EXACT.test(name.text)
}

it('addresses, codes and references are not translated', () => {
  const found: string[] = []
  let seen = 0
  for (const file of listScreens()) {
    walk(file, (node, place) => {
      if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return
      const opening = ts.isJsxElement(node) ? node.openingElement : null
      if (opening?.tagName.getText() !== 'code' && !node.children.some(isExact)) return
      seen++
      if (opening === null || isTranslated(opening)) found.push(place)
    })
  }
  expect(found).toEqual([])
  expect(seen).toBeGreaterThan(50)
}, 30_000)
