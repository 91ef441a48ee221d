// SPDX-License-Identifier: Apache-2.0

/** Something is wrong with the data of the page; the message is meant for the reader. */
export class DataError extends Error {
  override readonly name = 'DataError';
}
