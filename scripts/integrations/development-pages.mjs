import { root } from '../toolchain.mjs'

/**
 * The pages for who works on the site: built for `npm run dev`, for `npm start` and for the tests, and left out of every
 * other build. They stand in a folder that makes no routes, so that forgetting this leaves them out, too.
 *
 * @returns {import('astro').AstroIntegration}
 */
export function developmentPages() {
  return {
    name: 'development-pages',
    hooks: {
      'astro:config:setup': ({ command, injectRoute }) => {
        if (command !== 'dev' && process.env.BUILD_FOR !== 'development') return
        injectRoute({
          pattern: '/design',
          entrypoint: `${root}/src/pages/_site/design/page.astro`,
          prerender: true,
        })
      },
    },
  }
}
