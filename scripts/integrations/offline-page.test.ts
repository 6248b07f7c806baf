import { expect, test } from 'vitest'
import { completeServiceWorker } from './offline-page.ts'

const html = `<link rel="stylesheet" href="/_astro/a.css"><script type="module" src="/_astro/b.js"></script>
<astro-island component-url="/_astro/c.js" renderer-url="/_astro/b.js"></astro-island><a href="/dashboard/deposit">Deposit</a>`

test('the service worker keeps the page and its files, each once, and nothing else', () => {
  const [version, files, rest] = completeServiceWorker('rest', html).split('\n')
  expect(version).toMatch(/^const VERSION = '[0-9a-f]{16}'$/)
  expect(files).toBe('const FILES = ["/dashboard/offline","/_astro/a.css","/_astro/b.js","/_astro/c.js"]')
  expect(rest).toBe('rest')
})

test('a changed page gives another version', () => {
  expect(completeServiceWorker('', html)).not.toBe(completeServiceWorker('', html.replace('c.js', 'd.js')))
})
