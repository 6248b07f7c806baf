import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { shareWithAllowedOrigins } from './cors.ts'

const client = resolve(import.meta.dirname, '../../src/islands')

test('a page of an allowed origin may read every header that our own client reads', async () => {
  const app = new Hono().use(shareWithAllowedOrigins(new Map())).get('/', () => new Response(null))
  const env = { PUBLIC_ORIGIN: 'https://evenkeel.example', ALLOWED_ORIGINS: 'https://desk.example' }
  const answer = await app.request('/', { headers: { Origin: 'https://desk.example' } }, env)
  const exposed = answer.headers.get('Access-Control-Expose-Headers')?.split(',')
  const texts = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
    .map((path) => readFileSync(join(client, path), 'utf8'))
  const read = texts.flatMap((text) =>
    [...text.matchAll(/headers\.get\('([\w-]+)'\)/g)].map(([, name]) => name),
  )
  expect(read).toContain('Link')
  // Browsers show this one to every page.
  expect(exposed).toEqual(expect.arrayContaining(read.filter((name) => name !== 'Content-Type')))
})
