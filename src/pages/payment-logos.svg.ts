import { paymentLogos } from '../layouts/paymentLogos.ts'

/** One picture with a symbol for each logo, fetched once. Inline, they would take 1 KB of every page. */
export const GET = () => {
  const symbols = paymentLogos.map(
    ({ id, path }) => `<symbol id="${id}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`,
  )
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml' },
  })
}
