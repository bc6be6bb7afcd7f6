import { createHash } from "node:crypto";
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from "@nestjs/common";
import { InjectRepository } from "@nestjs/typeorm";
import type { Request } from "express";
import { Repository } from "typeorm";
import { ApiKey } from "../entities/api-key.entity.js";

export type AuthenticatedRequest = Request & { userId: string };

/** Finds out whose key it is, by its hash. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(@InjectRepository(ApiKey) private readonly keys: Repository<ApiKey>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (!key) throw new UnauthorizedException();
    const hash = createHash("sha256").update(key).digest("hex");
    const found = await this.keys.findOneBy({ hash });
    const now = new Date();
    if (!found || found.revokedAt || (found.expiresAt && found.expiresAt <= now)) {
      throw new UnauthorizedException();
    }
    request.userId = found.userId;
    return true;
  }
}
