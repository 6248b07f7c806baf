import ts from 'typescript'

/** A piece of a source file, and the text that takes its place. `from` and `to` count characters. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
}

export function applyEdit(text: string, { from, to, text: replacement }: Edit): string {
  return text.slice(0, from) + replacement + text.slice(to)
}

export function replaceNode(node: ts.Node, text: string): Edit {
  return { from: node.getStart(), to: node.getEnd(), text }
}

/** Calls `visit` with a node and everything in it, except types and imports. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

/** The names of the functions that a node is in, innermost first, and of the constant or class outside all of them. */
export function listScopes(node: ts.Node): readonly string[] {
  const scopes: string[] = []
  let outer: readonly string[] = []
  for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
    if (!isNamed(at) || at.name === undefined || !ts.isIdentifier(at.name)) continue
    const isFunction = !ts.isClassDeclaration(at) && (!ts.isVariableDeclaration(at) || isFunctionConstant(at))
    outer = isFunction ? [] : [at.name.text]
    if (isFunction) scopes.push(at.name.text)
  }
  return [...scopes, ...outer]
}

function isNamed(
  node: ts.Node,
): node is ts.VariableDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration | ts.MethodDeclaration {
  return (
    ts.isVariableDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node)
  )
}

function isFunctionConstant({ initializer }: ts.VariableDeclaration): boolean {
  return (
    initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
  )
}

/** The call that an element or a statement makes, under `...`, `await` and parentheses; null for any other expression. */
export function findCall(node: ts.Expression): ts.CallExpression | null {
  if (ts.isSpreadElement(node) || ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node))
    return findCall(node.expression)
  return ts.isCallExpression(node) ? node : null
}

/** The last name of a called function: `set` for `db.update(x).set(y)`. */
export function getCallee({ expression }: ts.CallExpression): string {
  return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText()
}

/** Leaves out one element of an array, or one argument, with its comma. */
export function dropElement(elements: ts.NodeArray<ts.Expression>, element: ts.Expression): Edit {
  const place = elements.indexOf(element)
  const next = elements[place + 1]
  if (next !== undefined) return { from: element.getStart(), to: next.getStart(), text: '' }
  // The list ends after a comma behind its last element.
  return { from: elements[place - 1]?.getEnd() ?? element.getStart(), to: elements.end, text: '' }
}
