/** What of an endpoint only the Worker reads: the browser sends by the rest, and takes its answers as they come. */
const OF_THE_WORKER = new Set([
  'summary',
  'status',
  'statusAwaiting',
  'query',
  'files',
  'takesEncrypted',
  'answer',
  'requires',
  'limit',
  'refusals',
  'byItself',
  'audit',
])

/**
 * Makes of the contract what a page needs of it. An endpoint loses what only the Worker reads, and whatever a module
 * makes by a call is marked as needed by nobody but who uses it: otherwise a page would carry the schemas of all that
 * stands in the same file as the one call it makes, and the library that makes schemas.
 *
 * @returns {import('vite').Plugin}
 */
export function leanContract() {
  return {
    name: 'lean-contract',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/contract\/.+\.ts$/ },
      handler(code) {
        const { body } = this.parse(code, { lang: 'ts' })
        const lean = edited(code, [...partsOfTheWorker(body, code), ...valuesMade(body)])
        const text = edited(lean, idleImports(this.parse(lean, { lang: 'ts' }).body, lean))
        // Nothing of the contract happens by being loaded: what nobody uses of a module needs none of what it imports.
        return { code: text, map: null, moduleSideEffects: false }
      },
    },
  }
}

/** @typedef {{ at: number, until: number, text: string }} Edit */

/**
 * @param {string} code
 * @param {Edit[]} edits
 */
function edited(code, edits) {
  let text = ''
  let done = 0
  for (const edit of edits.toSorted((one, other) => one.at - other.at)) {
    text += code.slice(done, edit.at) + edit.text
    done = edit.until
  }
  return text + code.slice(done)
}

/**
 * What is imported for those parts alone: the files that it comes from would else be loaded together with this one.
 *
 * @param {any[]} body the statements of the module
 * @param {string} code
 * @returns {Edit[]}
 */
function idleImports(body, code) {
  return body
    .filter(
      ({ type, specifiers = [] }) =>
        type === 'ImportDeclaration' &&
        specifiers.length > 0 &&
        specifiers.every(
          (/** @type {any} */ { local }) => code.match(new RegExp(`\\b${local.name}\\b`, 'g'))?.length === 1,
        ),
    )
    .map(({ start, end }) => ({ at: start, until: end, text: '' }))
}

/**
 * Takes them out, with the comma after each.
 *
 * @param {unknown} node
 * @param {string} code
 * @returns {Edit[]}
 */
function partsOfTheWorker(node, code) {
  return nodesIn(node)
    .flatMap((call) => (isCallOf(call, 'endpoint') ? (call.arguments[0]?.properties ?? []) : []))
    .filter(({ type, key }) => type === 'Property' && OF_THE_WORKER.has(key.name))
    .map(({ start, end }) => ({
      at: start,
      until: end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0),
      text: '',
    }))
}

/**
 * Says of each constant that is made by a call that making it does nothing else.
 *
 * @param {any[]} statements of the module
 * @returns {Edit[]}
 */
function valuesMade(statements) {
  return statements
    .map((statement) => statement.declaration ?? statement)
    .flatMap(({ type, declarations }) => (type === 'VariableDeclaration' ? declarations : []))
    .filter(({ init }) =>
      nodesIn(init, (node) => !isFunction(node)).some(({ type }) => type === 'CallExpression'),
    )
    .flatMap(({ init: { start, end } }) => [
      { at: start, until: start, text: '/* @__PURE__ */ (() => (' },
      { at: end, until: end, text: '))()' },
    ])
}

/**
 * A node and all below it that can be reached through nodes that are `open`.
 *
 * @param {any} node
 * @param {(node: any) => boolean} isOpen
 * @returns {any[]}
 */
function nodesIn(node, isOpen = () => true) {
  if (node === null || typeof node !== 'object') return []
  if (Array.isArray(node)) return node.flatMap((each) => nodesIn(each, isOpen))
  if (!isOpen(node)) return []
  return [node, ...Object.values(node).flatMap((each) => nodesIn(each, isOpen))]
}

/** @param {any} node @param {string} name */
function isCallOf(node, name) {
  return node.type === 'CallExpression' && node.callee.name === name
}

/** @param {any} node */
function isFunction(node) {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'
}
