import { describe, expect, it } from 'vitest'
import { addressWith } from './useAddress.ts'

const here = 'https://evenkeel.example/operator/deposits?status=approved#main'

describe('the address of a queue', () => {
  it('says which filter is chosen and keeps what else it says', () => {
    expect(addressWith(here, 'open', '17', '')).toBe('/operator/deposits?status=approved&open=17#main')
    expect(addressWith(here, 'status', 'rejected', 'pending')).toBe('/operator/deposits?status=rejected#main')
  })

  it('says nothing of what goes without saying', () => {
    expect(addressWith(here, 'status', 'pending', 'pending')).toBe('/operator/deposits#main')
    expect(addressWith(here, 'open', '', '')).toBe('/operator/deposits?status=approved#main')
  })

  it('can say "all", which is not the same as nothing', () => {
    expect(addressWith(here, 'status', '', 'pending')).toBe('/operator/deposits?status=#main')
  })
})
