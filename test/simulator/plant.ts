import ts from 'typescript'
import {
  applyEdit,
  dropElement,
  type Edit,
  findCall,
  getCallee,
  listScopes,
  parseSource,
  replaceNode,
  walk,
} from '../mutants/syntax.ts'

/** A change of one file, found in its syntax tree. */
export interface Planting {
  readonly file: string
  /** Every place where it applies. There must be one. */
  readonly findEdits: (source: ts.SourceFile) => readonly Edit[]
}

/** The changed text of the file. Throws unless the change applies to exactly one place. */
export function plant({ file, findEdits }: Planting, text: string): string {
  const [edit, ...more] = findEdits(parseSource(file, text))
  if (edit === undefined || more.length > 0)
    throw new Error(`The change applies to ${edit ? more.length + 1 : 0} places of ${file}`)
  return applyEdit(text, edit)
}

// In each of these, `scope` is the function in which the place is, or the constant outside any.

/** Leaves out the element of an array, or the statement, that calls a function. */
export function dropCall(file: string, scope: string, callee: string): Planting {
  return plantAt(file, scope, (node) => {
    if (ts.isExpressionStatement(node))
      return callsFunction(node.expression, callee) ? [replaceNode(node, ';')] : []
    if (!ts.isArrayLiteralExpression(node)) return []
    const dropped = node.elements.filter((element) => callsFunction(element, callee))
    return dropped.map((element) => dropElement(node.elements, element))
  })
}

function callsFunction(expression: ts.Expression, callee: string): boolean {
  const call = findCall(expression)
  return call !== null && getCallee(call) === callee
}

/** Gives a constant or a property another value. */
export function replaceValue(file: string, scope: string, name: string, text: string): Planting {
  return plantAt(file, scope, (node) =>
    (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) &&
    node.initializer !== undefined &&
    node.name.getText() === name
      ? [replaceNode(node.initializer, text)]
      : [],
  )
}

/** Gives a call another argument. */
export function replaceArgument(
  file: string,
  scope: string,
  callee: string,
  place: number,
  text: string,
): Planting {
  return plantAt(file, scope, (node) => {
    const argument =
      ts.isCallExpression(node) && getCallee(node) === callee ? node.arguments[place] : undefined
    return argument === undefined ? [] : [replaceNode(argument, text)]
  })
}

/** Leaves out an `if` whose condition names something. */
export function dropIf(file: string, scope: string, name: string): Planting {
  return plantAt(file, scope, (node) =>
    ts.isIfStatement(node) && new RegExp(`\\b${name}\\b`).test(node.expression.getText())
      ? [replaceNode(node, ';')]
      : [],
  )
}

/** Begins a function with another statement. */
export function beginWith(file: string, scope: string, statement: string): Planting {
  return plantAt(file, scope, (node) => {
    if (!ts.isFunctionDeclaration(node) || node.name?.text !== scope || node.body === undefined) return []
    const from = node.body.getStart() + 1
    return [{ from, to: from, text: `\n${statement}\n` }]
  })
}

function plantAt(file: string, scope: string, change: (node: ts.Node) => readonly Edit[]): Planting {
  return {
    file,
    findEdits: (source) => {
      const edits: Edit[] = []
      walk(source, (node) => {
        if (listScopes(node).includes(scope)) edits.push(...change(node))
      })
      return edits
    },
  }
}
