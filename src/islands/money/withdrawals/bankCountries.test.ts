import { describe, expect, it } from 'vitest'
import { listCountries } from '../../../contract/countries.ts'
import { IBAN_LENGTHS, takesBranchCode } from '../../../contract/money/bankCountries.ts'
import { findCountryCode, getBankCountry, listBankCountries } from './bankCountries.ts'

it('the list has every country of the profile, and each country with IBANs', () => {
  const codes = listBankCountries().map(({ value }) => value)
  expect(codes.toSorted()).toEqual(
    listCountries()
      .map(({ value }) => value)
      .toSorted(),
  )
  for (const code of Object.keys(IBAN_LENGTHS)) expect(codes).toContain(code)
})

it('the form and the API agree on where a branch code is needed', () => {
  for (const { value } of listBankCountries())
    expect([value, getBankCountry(value).branch !== null]).toEqual([value, takesBranchCode(value)])
})

it('a profile’s country is found by its English name, and an unknown one is not guessed', () => {
  expect(findCountryCode('Switzerland')).toBe('CH')
  expect(findCountryCode('Atlantis')).toBe('')
})

describe('an IBAN', () => {
  // The examples of the IBAN registry.
  it.each([
    ['CH', 'CH93 0076 2011 6238 5295 7'],
    ['DE', 'DE89 3704 0044 0532 0130 00'],
    ['FR', 'FR1420041010050500013M02606'],
    ['MT', 'mt84malt011000012345mtlcast001s'],
    ['NO', 'NO93 8601 1117 947'],
  ])('of %s is accepted', (country, iban) => {
    expect(getBankCountry(country).account).toBe('IBAN')
    expect(getBankCountry(country).accountProblem(iban)).toBeNull()
  })

  it.each([
    ['DE', 'DE89 3704 0044 0532 0130 01', /checksum/],
    ['DE', 'DE89 3704 0044 0532 0103 00', /checksum/],
    ['DE', 'CH93 0076 2011 6238 5295 7', /starts with CH, not DE/],
    ['DE', 'DE89 3704 0044', /22 characters, this one has 12/],
    ['DE', '532013000', /starts with DE/],
  ])('of %s that is %s is refused', (country, iban, words) => {
    expect(getBankCountry(country).accountProblem(iban)).toMatch(words)
  })
})

it('a US account has a routing number with its checksum', () => {
  const { branch, branchProblem, accountProblem } = getBankCountry('US')
  expect(branch).toBe('Routing number')
  expect(branchProblem('021000021')).toBeNull()
  expect(branchProblem('0110-0001-5')).toBeNull()
  for (const wrong of ['021000022', '12000021', '000000000', '02100002a'])
    expect(branchProblem(wrong)).not.toBeNull()
  expect(accountProblem('123')).not.toBeNull()
  expect(accountProblem('1234567890')).toBeNull()
})

it('a UK account has a sort code and eight digits', () => {
  const { branch, branchProblem, accountProblem } = getBankCountry('GB')
  expect(branch).toBe('Sort code')
  expect(branchProblem('12-34-56')).toBeNull()
  expect(branchProblem('12-34-5')).not.toBeNull()
  expect(accountProblem('12345678')).toBeNull()
  expect(accountProblem('1234567')).not.toBeNull()
})

it('elsewhere the account number and branch code are free text', () => {
  const { account, branch, accountProblem } = getBankCountry('ZA')
  expect([account, branch]).toEqual(['Account number', 'Branch code'])
  expect(accountProblem('00112233445566')).toBeNull()
  expect(getBankCountry('').account).toBe('Account number')
})
