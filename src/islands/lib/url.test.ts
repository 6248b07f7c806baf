import { describe, expect, it } from 'vitest'
import { urlWith } from './url.ts'

const here = 'https://evenkeel.example/operator/deposits?status=approved#main'

describe('the address of a screen', () => {
  it('says what is chosen and keeps what else it says', () => {
    expect(urlWith(here, { open: '17' })).toBe('/operator/deposits?status=approved&open=17#main')
    expect(urlWith(here, { status: 'rejected' })).toBe('/operator/deposits?status=rejected#main')
  })

  it('says nothing of what goes without saying', () => {
    expect(urlWith(here, { status: null })).toBe('/operator/deposits#main')
    expect(urlWith(here, { open: null })).toBe('/operator/deposits?status=approved#main')
  })

  it('can say "all", which is not the same as nothing', () => {
    expect(urlWith(here, { status: '' })).toBe('/operator/deposits?status=#main')
  })

  it('changes several words at once', () => {
    expect(urlWith(here, { status: null, from: '2026-01-31', to: '2026-02-01' })).toBe(
      '/operator/deposits?from=2026-01-31&to=2026-02-01#main',
    )
  })
})
