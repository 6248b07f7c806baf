import { expect, test } from 'vitest'
import { parsePage, renderSitemap } from './listed-pages.ts'

const head = [
  '<link rel="canonical" href="https://evenkeel.example/fees">',
  '<meta property="og:site_name" content="Evenkeel">',
  '<meta property="og:title" content="Fees &amp; &#34;costs&#34;">',
  '<meta property="og:description" content="What it isn&#39;t.">',
  '<meta property="og:image" content="https://evenkeel.example/social/fees.png">',
]

test('a built page is described by its own head', () => {
  expect(parsePage(head.join(''), 'fees.html')).toEqual({
    canonical: 'https://evenkeel.example/fees',
    picture: 'https://evenkeel.example/social/fees.png',
    title: 'Fees & "costs"',
    description: "What it isn't.",
    site: 'Evenkeel',
  })
})

test('a page without a canonical address is not listed', () => {
  expect(parsePage(head.slice(1).join(''), 'overview.html')).toBeUndefined()
})

test('a listed page that says too little of itself fails the build', () => {
  expect(() => parsePage(head.slice(0, 4).join(''), 'fees.html')).toThrow(
    'fees.html has a canonical address, but no og:image',
  )
})

test('a sitemap names each address, escaped', () => {
  expect(renderSitemap(['https://evenkeel.example/', 'https://evenkeel.example/?a&b'])).toContain(
    '  <url><loc>https://evenkeel.example/</loc></url>\n  <url><loc>https://evenkeel.example/?a&amp;b</loc></url>\n</urlset>',
  )
})
