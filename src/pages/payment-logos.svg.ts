import { paymentLogos } from '../layouts/paymentLogos.ts'

/** One sprite with a symbol for each logo. Inline, the logos would add 1 KB to every page. */
export const GET = () => {
  const symbols = paymentLogos.map(
    ({ id, path }) => `<symbol id="${id}" viewBox="0 0 24 24"><path d="${path}"/></symbol>`,
  )
  return new Response(`<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>`, {
    headers: { 'Content-Type': 'image/svg+xml' },
  })
}
