/** The part of a test runner a contract suite uses: vitest and jest have it; under `node:test` the package `expect` adds the rest. */
export interface TestHooks {
  describe(name: string, declare: () => void): void;
  test(name: string, run: () => void | Promise<void>): void;
  beforeEach(run: () => void | Promise<void>): void;
  afterEach(run: () => void | Promise<void>): void;
  readonly expect: Expect;
}

/** The part of jest's `expect` the suites use. */
export interface Expect {
  (
    value: unknown,
  ): Matchers<void> & {
    readonly not: Matchers<void>;
    readonly rejects: Matchers<Promise<void>>;
  };
  any(type: unknown): unknown;
  objectContaining(shape: object): unknown;
}

/** Each throws, or rejects, where the value does not match. */
export interface Matchers<Result> {
  toBe(expected: unknown): Result;
  toBeGreaterThan(expected: number): Result;
  toBeInstanceOf(type: unknown): Result;
  toBeNull(): Result;
  toContain(expected: unknown): Result;
  toContainEqual(expected: unknown): Result;
  toEqual(expected: unknown): Result;
  toHaveLength(expected: number): Result;
  toMatch(expected: RegExp): Result;
  toMatchObject(expected: object): Result;
  toThrow(expected?: unknown): Result;
}
