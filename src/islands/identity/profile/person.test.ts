import { expect, test } from 'vitest'
import { collectChanges, type Person, restoreName } from './person.ts'

const ana: Person = {
  fullname: 'Ana Torres',
  email: 'ana@example.com',
  phone: '+41 79 123 45 67',
  address: '',
  country: 'Switzerland',
  maritalStatus: '',
  gender: '',
}

test('only what is filled in and differs is sent', () => {
  expect(collectChanges(ana, { ...ana, address: ' Hafenweg 3 ', phone: '' })).toEqual({
    address: 'Hafenweg 3',
  })
  expect(collectChanges(ana, ana)).toEqual({})
  expect(collectChanges(ana, {})).toEqual({})
})

test('a name is sent in lower case, and as it was typed', () => {
  expect(collectChanges(ana, { fullname: 'Ana de la Torre' })).toEqual({
    fullname: 'ana de la torre',
    displayName: 'Ana de la Torre',
  })
})

test('the e-mail address is never sent', () => {
  expect(collectChanges(ana, { email: 'other@example.com' })).toEqual({})
})

test('a name is shown as its owner writes it while the session knows the same one', () => {
  expect(restoreName('ana torres', 'Ana Torres')).toBe('Ana Torres')
  expect(restoreName('ana kurz', 'Ana Torres')).toBe('ana kurz')
  expect(restoreName('ana torres', undefined)).toBe('ana torres')
})
