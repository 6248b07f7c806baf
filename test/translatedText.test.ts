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

const sources = new Map<string, ts.SourceFile>()

/** The syntax tree of a file, parsed once for all tests. */
function parseFile(file: string): ts.SourceFile {
  const parsed = sources.get(file)
  if (parsed !== undefined) return parsed
  const text = readFileSync(resolve(root, file), 'utf8')
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  sources.set(file, source)
  return source
}

/** Calls `visit` with each element and fragment of a file, and with its place for messages. */
function visitElements(
  file: string,
  visit: (element: ts.JsxElement | ts.JsxFragment, describePlace: () => string) => void,
): void {
  const source = parseFile(file)
  const walk = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxFragment(node))
      visit(node, () => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        return `${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 100)}`
      })
    ts.forEachChild(node, walk)
  }
  ts.forEachChild(source, walk)
}

it('text beside something conditional has an element of its own, so that a page translated by the browser does not crash', () => {
  const found: string[] = []
  let seen = 0
  for (const file of listScreens()) {
    visitElements(file, (element, describePlace) => {
      seen++
      found.push(...listBareTexts(element).map((text) => `${describePlace()}: ${text.getText().trim()}`))
    })
  }
  expect(found).toEqual([])
  expect(seen).toBeGreaterThan(1000)
}, 30_000)

/** The expressions that a component returns, without those of functions within it. */
function listReturns(component: ts.FunctionDeclaration): (ts.Expression | null)[] {
  const returns: (ts.Expression | null)[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression) returns.push(...listBranches(node.expression))
    ts.forEachChild(node, walk)
  }
  if (component.body) ts.forEachChild(component.body, walk)
  return returns
}

it('a component that returns text or something else gives its text an element', () => {
  const found: string[] = []
  let seen = 0
  const isPlain = (value: ts.Expression | null) =>
    value !== null &&
    (ts.isStringLiteralLike(value) ||
      ts.isTemplateExpression(value) ||
      /^(?:text|words|label)$|^(?:format|describe)\w+\(/.test(value.getText()))
  for (const file of listScreens()) {
    for (const statement of parseFile(file).statements) {
      if (!ts.isFunctionDeclaration(statement) || !/^[A-Z]/.test(statement.name?.text ?? '')) continue
      const returns = listReturns(statement)
      seen++
      if (returns.length > 1 && returns.some(isPlain)) found.push(`${file}: ${statement.name?.text}`)
    }
  }
  expect(found).toEqual([])
  expect(seen).toBeGreaterThan(500)
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
    visitElements(file, (element, describePlace) => {
      const opening = ts.isJsxElement(element) ? element.openingElement : null
      if (opening?.tagName.getText() !== 'code' && !element.children.some(isExact)) return
      seen++
      if (opening === null || isTranslated(opening)) found.push(describePlace())
    })
  }
  expect(found).toEqual([])
  expect(seen).toBeGreaterThan(50)
}, 30_000)
