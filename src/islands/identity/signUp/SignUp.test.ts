import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { register, signUpForm, TERMS_VERSION } from '../../../contract/identity/registration.ts'
import { validateValues } from '../../lib/form.ts'
import { buildRegistration } from './SignUp.tsx'

const typed = {
  fullname: 'Ana María Núñez',
  email: 'Ana@Example.com',
  phone: '+1 555 010 0199',
  password: 'Steady-As-She-Goes',
  confirmPassword: 'Steady-As-She-Goes',
  country: 'Germany',
  referralID: 'KEEL-42',
  acceptedTerms: true as const,
}

test('name, address and referral ID are sent in lower case, the name also as typed', () => {
  expect(buildRegistration(typed)).toEqual({
    fullname: 'ana maría núñez',
    displayName: 'Ana María Núñez',
    email: 'ana@example.com',
    phone: '+1 555 010 0199',
    password: 'Steady-As-She-Goes',
    confirmPassword: 'Steady-As-She-Goes',
    country: 'Germany',
    referralID: 'keel-42',
    acceptedTerms: TERMS_VERSION,
  })
})

test('what the form lets through, the server’s schema takes', () => {
  expect(validateValues(signUpForm, typed)).toEqual({})
  expect(z.safeParse(register.body ?? z.never(), buildRegistration(typed)).success).toBe(true)
})

test('blanks around a phone number are no mistake', () => {
  expect(validateValues(signUpForm, { ...typed, phone: ' +1 555 010 0199  ' })).toEqual({})
  const sent = z.safeParse(
    register.body ?? z.never(),
    buildRegistration({ ...typed, phone: ' +1 555 010 0199 ' }),
  )
  expect(sent.data).toMatchObject({ phone: '+1 555 010 0199' })
})

test('a blank referral ID is not sent', () => {
  expect(buildRegistration({ ...typed, referralID: '' })).not.toHaveProperty('referralID')
})

test('everything that is wrong with a blank form is said at once, in the specified words', () => {
  const blank = { fullname: '', email: '', phone: '', password: '', confirmPassword: '', country: '' }
  expect(messagesOf({ ...blank, referralID: '', acceptedTerms: false })).toEqual({
    fullname: 'Please enter your fullname',
    email: 'Email is required',
    phone: 'Phone number is required',
    password: 'Password is required',
    confirmPassword: 'Confirm Password is required',
    country: 'Please select your country',
    acceptedTerms: 'Please confirm that you are 18 or older and accept the terms',
  })
})

test('a password that is not repeated is said together with what else is wrong', () => {
  expect(messagesOf({ ...typed, email: 'ana@', phone: '555', confirmPassword: 'other' })).toEqual({
    email: 'Provide a valid email',
    phone: 'Invalid phone number',
    confirmPassword: 'Passwords must match',
  })
})

function messagesOf(values: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(validateValues(signUpForm, values)).map(([name, { msg }]) => [name, msg]),
  )
}
