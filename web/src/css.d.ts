// SPDX-License-Identifier: Apache-2.0
// esbuild turns these imports into the style of the page.
declare module '*.css';
