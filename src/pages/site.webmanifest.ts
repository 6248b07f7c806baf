import { THEME_COLOURS } from '../design/themeColours.ts'
import { site } from '../site.ts'

const manifest = {
  id: '/',
  name: site.brand,
  short_name: site.brand,
  description: site.description,
  lang: 'en',
  start_url: '/dashboard/overview',
  scope: '/',
  display: 'standalone',
  background_color: THEME_COLOURS.light,
  theme_color: THEME_COLOURS.light,
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Deposit', url: '/dashboard/deposit' },
    { name: 'Withdraw', url: '/dashboard/withdrawal' },
    { name: 'Strategies', url: '/dashboard/strategies' },
    { name: 'Transaction history', url: '/dashboard/transaction-history' },
  ],
}

export const GET = () =>
  new Response(`${JSON.stringify(manifest, null, 2)}\n`, {
    headers: { 'Content-Type': 'application/manifest+json' },
  })
