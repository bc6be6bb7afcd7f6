import { Module } from "@nestjs/common";
import { APP_GUARD } from "@nestjs/core";
import { ThrottlerModule } from "@nestjs/throttler";
import { TypeOrmModule } from "@nestjs/typeorm";
import { ApiKeyGuard } from "./auth/api-key.guard.js";
import { UserThrottlerGuard } from "./auth/user-throttler.guard.js";
import { databaseOptions, entities } from "./database.js";
import { UsersController } from "./users/users.controller.js";
import { UsersService } from "./users/users.service.js";

@Module({
  imports: [
    TypeOrmModule.forRoot(databaseOptions(process.argv[2] ?? "nestjs.db")),
    TypeOrmModule.forFeature(entities),
    ThrottlerModule.forRoot([{ limit: Number(process.env.LIMIT_DEFAULT ?? 60), ttl: 60_000 }]),
  ],
  controllers: [UsersController],
  providers: [
    UsersService,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: UserThrottlerGuard },
  ],
})
export class AppModule {}
