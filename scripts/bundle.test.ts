import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { environment, getProgramPath, root } from './toolchain.mjs'

test('the options of a bundle are those of wrangler.toml, without secrets and without the place of this clone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'platform-bundle-'))
  try {
    mkdirSync(join(directory, 'no-site'))
    const { status } = spawnSync(getProgramPath('node'), [join(root, 'scripts/bundle.mjs'), directory], {
      cwd: root,
      env: { ...environment, VAULT_KEYS: '1:a-secret' },
    })
    expect(status).toBe(0)
    const text = readFileSync(join(directory, 'miniflare.json'), 'utf8')
    expect(text).not.toContain('a-secret')
    const options = JSON.parse(text)
    expect(options).toMatchObject({
      name: 'evenkeel',
      bindings: { APP_ENV: 'production', RATE_LIMITS: 'on' },
      d1Databases: { DB: {} },
      r2Buckets: { FILES: {} },
      assets: {
        assetConfig: { html_handling: 'drop-trailing-slash', not_found_handling: '404-page' },
        routerConfig: { static_routing: { user_worker: ['/api', '/api/*', '/dev/*'] } },
      },
    })
    expect(options).not.toHaveProperty('rootPath')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
