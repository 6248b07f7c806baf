import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AstroIntegration } from 'astro'
import { DomUtils, parseDocument } from 'htmlparser2'

/** The page that the dashboard shows without a connection. */
const PAGE = '/dashboard/offline'

/**
 * Completes /service-worker.js, after `finishPages`: it keeps PAGE and the files that PAGE loads. A change of the page or of a file
 * changes the script, and so browsers install it again.
 */
export function offlinePage(): AstroIntegration {
  return {
    name: 'offline-page',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const folder = fileURLToPath(dir)
        const html = await readFile(join(folder, `${PAGE}.html`), 'utf8')
        const script = join(folder, 'service-worker.js')
        await writeFile(script, completeServiceWorker(await readFile(script, 'utf8'), html))
      },
    },
  }
}

/** The service worker with the addresses of the page, and a version that is theirs. */
export function completeServiceWorker(script: string, html: string): string {
  const version = createHash('sha256').update(html).digest('hex').slice(0, 16)
  const files = JSON.stringify([PAGE, ...listFiles(html)])
  return `const VERSION = '${version}'\nconst FILES = ${files}\n${script}`
}

/** The addresses under /_astro/ that a page names, each once. Their names contain the hash of their content. */
function listFiles(html: string): string[] {
  const elements = DomUtils.findAll(() => true, parseDocument(html).children)
  const values = elements.flatMap(({ attribs }) => Object.values(attribs))
  return [...new Set(values.filter((value) => /^\/_astro\/[^\s"]+$/.test(value)))].sort()
}
