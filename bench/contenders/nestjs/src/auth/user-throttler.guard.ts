import { Injectable } from "@nestjs/common";
import { ThrottlerGuard } from "@nestjs/throttler";
import type { AuthenticatedRequest } from "./api-key.guard.js";

/** Limits are per user, and not per address. */
@Injectable()
export class UserThrottlerGuard extends ThrottlerGuard {
  protected override async getTracker(request: AuthenticatedRequest): Promise<string> {
    return request.userId;
  }
}
