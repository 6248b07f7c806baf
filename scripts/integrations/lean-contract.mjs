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
])

/**
 * Takes out of the endpoints that browsers load what only the Worker reads, and with it the schemas that nothing else
 * needs. A page would carry them with every call it makes.
 *
 * @returns {import('vite').Plugin}
 */
export function leanContract() {
  return {
    name: 'lean-contract',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/src\/contract\/.+\.ts$/, code: /\bendpoint\(/ },
      handler(code) {
        return { code: withoutSpans(code, partsOfTheWorker(this.parse(code, { lang: 'ts' }))), map: null }
      },
    },
  }
}

/**
 * @param {unknown} node
 * @returns {{ start: number, end: number }[]} in the order of the source
 */
function partsOfTheWorker(node) {
  if (Array.isArray(node)) return node.flatMap(partsOfTheWorker)
  if (node === null || typeof node !== 'object') return []
  return definitionOf(node)?.filter(isOfTheWorker) ?? Object.values(node).flatMap(partsOfTheWorker)
}

/** The properties of `endpoint({ … })`. @param {any} node @returns {any[] | undefined} */
function definitionOf(node) {
  return node.type === 'CallExpression' && node.callee.name === 'endpoint'
    ? node.arguments[0]?.properties
    : undefined
}

/** @param {any} property */
function isOfTheWorker(property) {
  return property.type === 'Property' && OF_THE_WORKER.has(property.key.name)
}

/**
 * With the comma after each: all but a last one has it, and there it is allowed.
 *
 * @param {string} code
 * @param {{ start: number, end: number }[]} spans
 */
function withoutSpans(code, spans) {
  let rest = ''
  let at = 0
  for (const { start, end } of spans) {
    rest += code.slice(at, start)
    at = end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)
  }
  return rest + code.slice(at)
}
