import { describe, expect, it } from 'vitest'
import { cryptoWithdrawalForm } from './address.ts'

const filled = { amount: '100', type: 'usdt', network: 'usdt-trc20', code: '' }
const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

function problems(value: unknown): [path: string, message: string][] {
  const issues = cryptoWithdrawalForm.safeParse(value).error?.issues ?? []
  return issues.map(({ path, message }) => [String(path[0]), message])
}

describe('the form of a withdrawal by cryptocurrency', () => {
  it('takes an address of the chosen network', () => {
    expect(problems({ ...filled, address: TRON })).toEqual([])
  })

  it('refuses an address of another network beside the address', () => {
    const found = problems({ ...filled, network: 'usdt-bsc', address: TRON })
    expect(found).toEqual([
      ['address', 'This is an address of TRON (TRC-20), not of BNB Smart Chain (BEP-20)'],
    ])
  })

  it('refuses a mistyped address before anything is sent', () => {
    const found = problems({ ...filled, address: TRON.replace('8', '9') })
    expect(found).toEqual([['address', expect.stringContaining('mistyped')]])
  })

  it('asks for what is missing first', () => {
    expect(problems({ amount: '', address: '' })).toEqual([
      ['amount', 'Please input withdrawal amount in USD'],
      ['type', 'Please choose a coin'],
      ['network', 'Please choose a network'],
      ['address', 'Please provide withdrawal address'],
    ])
  })
})
