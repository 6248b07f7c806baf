import { drawLand, drawMeridians } from './_site/about/worldMap.ts'

/** The map of /about-us without its places. Inline, it would use half of the page's budget. */
export const GET = () => {
  const { above, below } = drawLand()
  const paths = Object.entries({ meridians: drawMeridians(), above, below })
  return new Response(
    `<svg xmlns="http://www.w3.org/2000/svg">${paths.map(([id, d]) => `<path id="${id}" d="${d}"/>`).join('')}</svg>`,
    { headers: { 'Content-Type': 'image/svg+xml' } },
  )
}
