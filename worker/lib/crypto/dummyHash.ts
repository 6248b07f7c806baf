/**
 * Replaces the hash of an unknown user, so that a sign-in takes the same work either way. Its tag was drawn at random, so no
 * password for it is known.
 */
export const dummyHash =
  '$argon2id$v=19$m=19456,t=2,p=1$eF4gAFpPVc65u+hUPvghYQ$hYpkWRt6Zsz69xNTIIs/xZl+X1wUHIcFQ/LwUkE248s'
