/**
 * A page's own style sheets hold the styles of all that stands on it, of what it fetches later too: the page is drawn
 * ahead of time with everything in reach. So what a browser fetches later asks for no styles again, and modules may
 * share a file whatever styles they have.
 *
 * @returns {import('vite').Plugin}
 */
export function stylesOfPages() {
  return {
    name: 'styles-of-pages',
    applyToEnvironment: (environment) => environment.name === 'client',
    generateBundle: {
      order: 'pre',
      handler(_, bundle) {
        for (const [name, item] of Object.entries(bundle)) {
          if (item.type === 'chunk') item.viteMetadata?.importedCss.clear()
          else if (name.endsWith('.css')) delete bundle[name]
        }
      },
    },
  }
}
