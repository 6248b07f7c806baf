import ts from 'typescript'
import { findSqlChanges, NEXT_BOUNDS } from '../simulator/triggers/mutants.ts'
import {
  applyEdit,
  dropElement,
  type Edit,
  findCall,
  listScopes,
  parseSource,
  replaceNode,
  walk,
} from './syntax.ts'

/** A source file with one change. */
export interface Mutant {
  /** File, function, kind of change and its number among those: `worker/ledger/units.ts#valueCents swap-sign 1`. */
  readonly id: string
  readonly file: string
  /** The function that is changed, or the constant or class outside any. */
  readonly scope: string
  readonly line: number
  /** The old text and the new one. */
  readonly change: string
  /** The whole changed file. */
  readonly text: string
}

/**
 * All versions of a source file with one change: a condition negated, a part of a condition or a statement left out, a bound moved,
 * two arguments of one kind, plus and minus, or smallest and largest swapped. Texts of SQL get the changes of triggers.
 *
 * @param file its path in the project
 */
export function listMutants(file: string, text: string): readonly Mutant[] {
  const source = parseSource(file, text)
  const counts = new Map<string, number>()
  const mutants: Mutant[] = []
  walk(source, (node) => {
    for (const { kind, edit } of listChanges(node)) {
      const [scope = 'module'] = listScopes(node)
      const name = `${file}#${scope} ${kind}`
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      mutants.push({
        id: `${name} ${count}`,
        file,
        scope,
        line: source.getLineAndCharacterOfPosition(edit.from).line + 1,
        change: `${shorten(text.slice(edit.from, edit.to))} → ${shorten(edit.text)}`,
        text: applyEdit(text, edit),
      })
    }
  })
  return mutants
}

interface SourceChange {
  readonly kind: string
  readonly edit: Edit
}

const shorten = (text: string) => text.replace(/\s+/g, ' ').slice(0, 80)

function listChanges(node: ts.Node): readonly SourceChange[] {
  if (ts.isBinaryExpression(node)) return changeBinary(node)
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return negateCondition(node.expression)
  if (ts.isConditionalExpression(node)) return negateCondition(node.condition)
  if (ts.isCallExpression(node)) return changeCall(node)
  if (ts.isArrayLiteralExpression(node)) return dropCalls(node)
  if (ts.isExpressionStatement(node)) return dropStatement(node)
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql') return changeSql(node.template)
  return []
}

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}
const SIGNS: Readonly<Record<string, string>> = { '+': '-', '-': '+', '+=': '-=', '-=': '+=' }

function changeBinary(node: ts.BinaryExpression): readonly SourceChange[] {
  const { left, right, operatorToken, parent } = node
  const operator = operatorToken.getText()
  if (isLogical(node)) {
    const parts = isLogical(left) && left.operatorToken.kind === operatorToken.kind ? [left] : [left, right]
    return parts.map((kept) => ({ kind: 'drop-part', edit: replaceNode(node, kept.getText()) }))
  }
  const changes: SourceChange[] = []
  const opposite = OPPOSITES[operator]
  // A part of a longer condition is left out instead.
  if (opposite !== undefined && !isLogical(skipParentheses(parent)))
    changes.push({ kind: 'negate', edit: replaceNode(operatorToken, opposite) })
  const bound = NEXT_BOUNDS[operator]
  if (bound !== undefined) changes.push({ kind: 'move-bound', edit: replaceNode(operatorToken, bound) })
  const sign = SIGNS[operator]
  if (sign !== undefined && !isText(node))
    changes.push({ kind: 'swap-sign', edit: replaceNode(operatorToken, sign) })
  return changes
}

function isLogical(node: ts.Node): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node)) return false
  const { kind } = node.operatorToken
  return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken
}

function skipParentheses(node: ts.Node): ts.Node {
  let outer = node
  while (ts.isParenthesizedExpression(outer)) outer = outer.parent
  return outer
}

/** Whether an addition joins texts. */
function isText(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node)) return isText(node.left) || isText(node.right)
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** Comparisons and longer conditions are changed by themselves. */
function negateCondition(condition: ts.Expression): readonly SourceChange[] {
  if (ts.isBinaryExpression(condition)) return []
  const isNegated =
    ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken
  const text = isNegated ? condition.operand.getText() : `!(${condition.getText()})`
  return [{ kind: 'negate', edit: replaceNode(condition, text) }]
}

const EXTREMES: Readonly<Record<string, string>> = { 'Math.min': 'Math.max', 'Math.max': 'Math.min' }

function changeCall(call: ts.CallExpression): readonly SourceChange[] {
  const callee = call.expression.getText()
  const extreme = EXTREMES[callee]
  if (extreme !== undefined) return [{ kind: 'swap-extreme', edit: replaceNode(call.expression, extreme) }]
  // Terms of a query.
  if (callee === 'and' || callee === 'or')
    return call.arguments.map((term) => ({ kind: 'drop-part', edit: dropElement(call.arguments, term) }))
  return call.arguments.flatMap((argument, index) => {
    const next = call.arguments[index + 1]
    if (next === undefined || !isSameKind(argument, next)) return []
    const text = `${next.getText()}, ${argument.getText()}`
    const edit = { from: argument.getStart(), to: next.getEnd(), text }
    return [{ kind: 'swap-arguments', edit }]
  })
}

/** Whether the names of two arguments end with the same word: `fromMs` and `toMs`, or `a.cents` and `b.cents`. */
function isSameKind(first: ts.Expression, second: ts.Expression): boolean {
  const words = [first, second].map((argument) => {
    const name = ts.isPropertyAccessExpression(argument) ? argument.name : argument
    return ts.isIdentifier(name) ? /[A-Z]?[a-z0-9]+$/.exec(name.text)?.[0]?.toLowerCase() : undefined
  })
  return words[0] !== undefined && words[0] === words[1] && first.getText() !== second.getText()
}

/** Elements of an array that are calls, as the statements of a batch are. */
function dropCalls({ elements, parent }: ts.ArrayLiteralExpression): readonly SourceChange[] {
  // Each is taken out again by its place.
  if (ts.isVariableDeclaration(parent) && ts.isArrayBindingPattern(parent.name)) return []
  return elements
    .filter((element) => ts.isSpreadElement(element) || findCall(element) !== null)
    .map((element) => ({ kind: 'drop-element', edit: dropElement(elements, element) }))
}

function dropStatement(statement: ts.ExpressionStatement): readonly SourceChange[] {
  const call = findCall(statement.expression)
  if (call === null || call.expression.getText().startsWith('console.')) return []
  // A following line may begin with a bracket.
  return [{ kind: 'drop-statement', edit: replaceNode(statement, ';') }]
}

function changeSql(template: ts.TemplateLiteral): readonly SourceChange[] {
  const start = template.getStart()
  let sql = template.getText()
  // Inserted values become question marks of the same length.
  const spans = ts.isTemplateExpression(template) ? template.templateSpans : []
  for (const { expression, literal } of spans) {
    const [from, to] = [expression.getFullStart() - 2 - start, literal.getStart() + 1 - start]
    sql = `${sql.slice(0, from)}?${' '.repeat(to - from - 1)}${sql.slice(to)}`
  }
  return findSqlChanges(sql.slice(1, -1)).map(({ from, to, replacement, isBound }) => ({
    kind: isBound ? 'move-sql-bound' : 'negate-sql',
    edit: { from: start + 1 + from, to: start + 1 + to, text: replacement },
  }))
}
