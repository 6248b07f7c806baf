import { formatUsd, usdOf } from '../money.ts'
import { type SettingKey, settingFacts } from './settingList.ts'
import type { SettingValue } from './settingValues.ts'

/** The value of a setting, as the API has it, in words: `$5,000.00`, `12.5%`, `1,825 days`, `Yes`, `None`. */
export function settingText(key: SettingKey, value: SettingValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return value.length === 0 ? 'None' : value.join(' ')
  if (typeof value === 'string') return value
  switch (settingFacts(key).unit) {
    case 'cents':
      return formatUsd(value)
    case 'basis points':
      return `${value / 100}%`
    case 'days':
      return `${value.toLocaleString('en-US')} days`
    default:
      return value.toLocaleString('en-US')
  }
}

/** What holds where nobody set it, in the same words. */
export function defaultText(key: SettingKey): string {
  const { unit, default: value } = settingFacts(key)
  return settingText(key, unit === 'cents' && typeof value === 'number' ? usdOf(value) : value)
}
