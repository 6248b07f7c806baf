import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../toolchain.mjs'
import { listedPages } from './built-pages.mjs'

const kept = join(root, '.astro/social-pictures')
const drawing = fileURLToPath(new URL('./social-picture.mjs', import.meta.url))

/**
 * Draws, for each page that search engines may list, the picture that its head names. What was drawn before in the same
 * way and of the same words is kept.
 *
 * @returns {import('astro').AstroIntegration}
 */
export function socialPictures() {
  return {
    name: 'social-pictures',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const started = performance.now()
        const directory = fileURLToPath(dir)
        const pages = await listedPages(directory)
        await mkdir(kept, { recursive: true })
        for (const page of pages) {
          const target = join(directory, new URL(page.picture).pathname)
          await mkdir(dirname(target), { recursive: true })
          await writeFile(target, await pictureOf(page))
        }
        logger.info(`${pages.length} in ${Math.round(performance.now() - started)} ms`)
      },
    },
  }
}

/** @param {import('./built-pages.mjs').BuiltPage} page */
async function pictureOf({ title, description, site, canonical }) {
  const words = { title, description, site, host: new URL(canonical).host }
  const hash = createHash('sha256')
    .update(await readFile(drawing))
    .update(JSON.stringify(words))
  const file = join(kept, `${hash.digest('hex').slice(0, 32)}.png`)
  try {
    return await readFile(file)
  } catch {
    // Loaded only where there is something to draw: it takes longer than all the rest.
    const { socialPicture } = await import('./social-picture.mjs')
    const picture = await socialPicture(words)
    await writeFile(file, picture)
    return picture
  }
}
