const SUMMARY = /\n\s+summary:\s*(['"`])(?:\\.|(?!\1)[^\\])*\1,/g

/**
 * Takes the summaries of the endpoints out of what browsers load: they are for the API's description, which the Worker
 * gives. A page would carry one with every call it makes.
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
      handler: (code) => ({ code: code.replaceAll(SUMMARY, ''), map: null }),
    },
  }
}
